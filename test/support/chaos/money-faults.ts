import type { Fault, Simulator } from '#infra/local/simulator/simulator.ts';
import { providerName } from '#shared/providers/domain/provider.ts';

/** The probability of each fault of the simulator, from 0 to 1. The first fault that is drawn applies. */
export type SimulatorOdds = readonly (Fault & { readonly probability: number })[];

/** Paths of look-ups of payments: they change nothing at a provider. */
const LOOK_UPS =
  /^\/transaction\b|\/query$|\/api\/v2\/transactions\/|^\/charges\/(?!bank-transfer)|\/search$|^\/pay-ins$/;

/** Faults of notifications and answers. Their milliseconds are real time. */
export const ROUGH: SimulatorOdds = [
  { kind: 'lost', probability: 0.05 },
  { kind: 'duplicated', probability: 0.06 },
  { kind: 'reordered', probability: 0.06 },
  { kind: 'delayed', ms: 15, probability: 0.06 },
  { kind: 'wrong_signature', probability: 0.02 },
  { kind: 'wrong_amount', probability: 0.06 },
  { kind: 'before_answer', probability: 0.2 },
  { kind: 'lost_answer', probability: 0.02 },
  { kind: 'server_fault', probability: 0.01 },
  { kind: 'gateway_fault', status: 502, probability: 0.01 },
  { kind: 'slow', ms: 15, probability: 0.02 },
  { kind: 'unauthorised', probability: 0.003, path: LOOK_UPS },
  { kind: 'rate_limited', probability: 0.01, path: LOOK_UPS },
];

/** Sets the faults of all three providers, or removes them if `odds` is empty. Counts each fault into `faultCounts`. */
export const setSimulatorFaults = (
  simulator: Simulator,
  odds: SimulatorOdds,
  random: () => number,
  faultCounts: Record<string, number>,
): void => {
  for (const provider of providerName.options) {
    simulator.fault(provider, null);
    for (const { probability, ...fault } of odds) {
      const drawAndCount = (): number => {
        const value = random();
        if (value < probability) faultCounts[fault.kind] = (faultCounts[fault.kind] ?? 0) + 1;
        return value;
      };
      simulator.fault(provider, { ...fault, probability, random: drawAndCount });
    }
  }
};

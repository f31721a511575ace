import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { ProviderSimulator } from './common/simulator/provider.ts';
import { korapaySimulator } from './korapay/simulator/simulator.ts';
import { monnifySimulator } from './monnify/simulator/simulator.ts';
import { paystackSimulator } from './paystack/simulator/simulator.ts';

/** The simulator of each provider, for the local stack, `ops provider try` and tests. No function loads it. */
export const SIMULATORS = {
  paystack: paystackSimulator,
  monnify: monnifySimulator,
  korapay: korapaySimulator,
} satisfies Record<ProviderName, ProviderSimulator>;

/** Calls `make` for each simulator and returns the results by the provider's name. The casts restore the types that `entries` loses. */
export const mapSimulators = <T>(
  make: (name: ProviderName, simulator: ProviderSimulator) => T,
): Record<ProviderName, T> =>
  Object.fromEntries(
    (Object.entries(SIMULATORS) as [ProviderName, ProviderSimulator][]).map(([name, simulator]) => [
      name,
      make(name, simulator),
    ]),
  ) as Record<ProviderName, T>;

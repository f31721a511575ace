import { type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { preferHealthy } from '#shared/providers/domain/health/prefer-healthy.ts';
import type { HealthReader, HealthyFirst, JudgedProviders } from './health-ports.ts';

export interface HealthyFirstDeps extends Pick<Runtime, 'now' | 'draw' | 'wait'> {
  readonly health: HealthReader;
}

/** Milliseconds after which a container reads the health again. Providers are judged once a minute. */
const MAX_AGE = 30 * SECOND;
/** Milliseconds that an opening waits for the health at most. */
const ANSWER_MS = 150;

/**
 * Sorts candidates by the health of providers. A container reads the health of all providers at once, at most twice a minute. If the read fails or
 * takes longer than ANSWER_MS, the last known health decides. If no health was read yet, the stage's order stays. Health must never keep an account
 * from being opened.
 */
export const healthyFirst = ({ health, now, draw, wait }: HealthyFirstDeps): HealthyFirst => {
  let known: JudgedProviders = {};
  let readAt: Millis = Number.NEGATIVE_INFINITY;

  const refresh = async (): Promise<void> => {
    readAt = now();
    // If the read takes longer, its result serves the next opening.
    const reading = health.readHealth().then(
      (judged) => {
        known = judged;
      },
      () => {},
    );
    await Promise.race([reading, wait(ANSWER_MS)]);
  };

  return async (candidates) => {
    // One candidate needs no order.
    if (candidates.length > 1 && now() - readAt >= MAX_AGE) await refresh();
    return preferHealthy(candidates, known, draw());
  };
};

import type { Contract } from '#shared/contract/kernel/contract.ts';
import type { ApiKey } from '#shared/domain/businesses/api-key.ts';
import { KeyRefusal } from '#shared/domain/kernel/errors.ts';
import { stateOfNewestWindow } from '#shared/domain/kernel/newest-window.ts';
import { isOver, RATE_WINDOW, secondsLeft } from '#shared/domain/requests/rate-limit.ts';
import type { ApiDeps, ApiMiddleware } from '#shared/http/kernel/types.ts';
import { callerOf } from './authenticate.ts';
import { ensureMode } from './check-mode.ts';
import { ensureWhitelisted } from './check-source-ip.ts';
import { presentedKey } from './presented-key.ts';
import { allowancesFor } from './rate-limit.ts';

type Deps = Pick<ApiDeps, 'rateLimits' | 'now'>;

/** How often a container refuses a key in a window before it refuses it from memory. */
const REFUSED_AFTER_READING = 5;
/** How many keys a container remembers. */
const MAX_REMEMBERED = 1_000;

/** What a container knows of a key that it has refused in this window. */
interface Refused {
  /** As it was read last; null for one that was never issued. */
  key: ApiKey | null;
  times: number;
  /** The buckets of allowances that are used up. */
  readonly usedUp: Set<string>;
}

/**
 * Refuses a key that this container has refused several times within the second, without reading it again, for as long as that second
 * lasts: a flood with one key would use up what its partition can read, and its owner's requests would fail. What is remembered only ever
 * refuses. Who would be admitted by it is looked up as always, so that a whitelist or a revocation holds for the very next request.
 */
export const refuseAgain = (contract: Contract, deps: Deps): ApiMiddleware => {
  const refusedIn = stateOfNewestWindow(() => new Map<string, Refused>());
  const current = (): Map<string, Refused> => refusedIn(Math.floor(deps.now() / RATE_WINDOW));

  const note = (hash: string, key: ApiKey | null): Refused => {
    const refused = current();
    if (refused.size >= MAX_REMEMBERED) refused.clear();
    const known = refused.get(hash) ?? { key, times: 0, usedUp: new Set() };
    refused.set(hash, known);
    known.key = key;
    known.times += 1;
    return known;
  };

  return {
    before: (request) => {
      const { event, context } = request;
      const refused = current();
      const presented = refused.size === 0 ? undefined : presentedKey(event);
      const known = presented && refused.get(presented.hash);
      if (!known || known.times < REFUSED_AFTER_READING) return;
      const { api } = context;
      // For the log, which names whose key was refused.
      api.key = known.key;
      api.caller = callerOf(contract, event, known.key, deps.now());
      if (known.key) ensureWhitelisted(known.key, event);
      ensureMode(contract, api.caller.mode);
      if (allowancesFor(deps, contract, event, presented).some(({ bucket }) => known.usedUp.has(bucket))) {
        throw new KeyRefusal('rate_limited', { retryAfterSeconds: secondsLeft(deps.now()) });
      }
      delete api.key;
      delete api.caller;
    },
    onError: async (request) => {
      const { key, isAdmitted, used } = request.context.api;
      // Undefined: the key was not read, so nothing is known of it.
      const presented = key === undefined ? undefined : presentedKey(request.event);
      if (!presented || key === undefined) return;
      if (!isAdmitted) {
        note(presented.hash, key);
        return;
      }
      const usedUp = ((await used) ?? []).filter(isOver);
      if (usedUp.length === 0) return;
      const known = note(presented.hash, key);
      for (const { allowance } of usedUp) known.usedUp.add(allowance.bucket);
    },
  };
};

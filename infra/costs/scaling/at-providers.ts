import { sumReserved } from '#infra/constructs/reserved-concurrency.ts';
import type { StageSettings } from '#infra/constructs/stage-settings.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import { MONEY_BATCH } from './limits.ts';
import { MOST_WRITES, PROVIDER_WRITES } from './quotas.ts';

const MINUTE = 60;

/**
 * Counts the writing requests that one business causes at a provider if it uses its whole quota. `servers`, `browsers` and `closings` are for
 * one window of the quota. `inAMinute` is their sum for a minute.
 */
export const countWrites = (
  provider: (typeof PROVIDERS)[number],
  { creations, publicCreations, seconds }: StageSettings['providerQuota'],
) => {
  const writes = PROVIDER_WRITES[provider] ?? MOST_WRITES;
  const servers = creations * Math.max(writes.account, writes.checkout);
  const browsers = publicCreations * writes.checkout;
  const closings = creations * writes.closing;
  return { servers, browsers, closings, inAMinute: ((servers + browsers + closings) * MINUTE) / seconds };
};

/**
 * Lists, for each provider, how many concurrent requests we send at most: for the work in its lane, for merchants' requests, and in all.
 */
export const listRequests = ({ concurrency }: StageSettings): readonly (readonly (string | number)[])[] =>
  PROVIDERS.map((provider) => {
    const lane = concurrency.lanes[`money-${provider}`] * MONEY_BATCH;
    const merchants = concurrency.quota - sumReserved(concurrency);
    return [provider, lane, merchants, lane + merchants];
  });

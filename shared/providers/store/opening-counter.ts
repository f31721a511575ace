import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import type { Log } from '#shared/platform/observability/log.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { beginMinute, markBusiness } from '#shared/providers/domain/health/counts.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { OpeningCounter } from '#shared/providers/health-ports.ts';
import { addCounts } from './health-counts.ts';

/** Milliseconds for which a process remembers opened accounts. */
const MEMORY_TIME = 10 * MINUTE;
/** Milliseconds that a request waits at most for the write. */
const ANSWER_MS = 500;

/**
 * Counts failed openings in the table, one write for each. A successful opening must cost no write: the process remembers how many it had in
 * each of the last ten minutes, and reports them with its next failure. A process without failures reports nothing, so that a provider looks
 * slightly worse than it is.
 */
export const openingCounter = (
  table: Table,
  { now, log }: { readonly now: () => Millis; readonly log: Log },
  answerMs = ANSWER_MS,
): OpeningCounter => {
  const remembered = new Map<string, { readonly provider: ProviderName; readonly minute: Millis; times: number }>();

  const forgetOld = (): void => {
    for (const [name, { minute }] of remembered) if (minute <= now() - MEMORY_TIME) remembered.delete(name);
  };
  const takeRemembered = (provider: ProviderName): number => {
    forgetOld();
    const entries = [...remembered].filter(([, entry]) => entry.provider === provider);
    for (const [name] of entries) remembered.delete(name);
    return entries.reduce((sum, [, { times }]) => sum + times, 0);
  };

  return {
    recordOpened: (provider) => {
      const minute = beginMinute(now());
      const name = `${provider} ${minute}`;
      const entry = remembered.get(name);
      if (entry) entry.times += 1;
      else {
        forgetOld();
        remembered.set(name, { provider, minute, times: 1 });
      }
    },
    recordFailed: async (provider, businessId) => {
      const added = { failed: 1, failedFor: markBusiness(businessId), opened: takeRemembered(provider) };
      const { key, update } = addCounts(provider, now(), added);
      try {
        // Sent only once, because a retry after a lost answer would count twice.
        await table.withoutRetry.send(new UpdateCommand({ TableName: table.name, Key: { ...key }, ...update }), {
          abortSignal: AbortSignal.timeout(answerMs),
        });
      } catch (error) {
        log('opening_not_counted', { provider }, error);
      }
    },
  };
};

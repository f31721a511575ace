import { type DailyTotal, isFinal, NOTHING_LANDED } from '#shared/payments/domain/daily-total.ts';
import type { DailyTotals } from '#shared/payments/ports.ts';
import { inBatches } from '#shared/platform/kernel/batches.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { lagosDates } from '#shared/platform/kernel/lagos-day.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import { type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import type { Runtime } from '#shared/platform/ports.ts';

export interface SumByDayDeps extends Pick<Runtime, 'now'> {
  readonly totals: DailyTotals;
}

/** Days that are summed in parallel. */
const AT_ONCE = 4;
/** Milliseconds after which no further query is sent. get-totals has a timeout of 15 s. */
const MAX_DURATION: Millis = 10 * SECOND;

/** The total of one day in Lagos time. */
export interface TotalOfDay extends DailyTotal {
  readonly date: string;
}

/**
 * Sums the payments of each day in Lagos time from `from` to `to`, both included, oldest first. If a day is over and its sum is final, the sum is
 * stored. If a payment of the day is reversed later, the stored sum is deleted.
 * @throws service_unavailable, with Retry-After, if the days cannot be summed in time. Finished sums are stored, so another try gets further.
 */
export const sumByDay = async (
  deps: SumByDayDeps,
  tenant: Tenant,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly TotalOfDay[]> => {
  const startedAt = deps.now();
  const storedTotals = await deps.totals.read(tenant, from, to);
  const isLate = () => deps.now() - startedAt > MAX_DURATION;
  const sumDay = async (date: string): Promise<TotalOfDay> => {
    const { total = null, reversal = null } = storedTotals.get(date) ?? {};
    if (total) return { date, ...total };
    const summed = await deps.totals.sum(tenant, date, isLate);
    if (!summed) throw new ApiError('service_unavailable', { retryAfterSeconds: 1 });
    const { total: sum, isWhole } = summed;
    // An empty sum is not stored, because computing it is as fast as reading it. A sum that lacks unreadable payments is not final.
    if (isWhole && sum !== NOTHING_LANDED && isFinal(date, reversal?.at ?? null, startedAt))
      await deps.totals.keep(tenant, date, sum, reversal);
    return { date, ...sum };
  };
  const days: TotalOfDay[] = [];
  for (const dates of inBatches(lagosDates(from, to), AT_ONCE)) days.push(...(await Promise.all(dates.map(sumDay))));
  return days;
};

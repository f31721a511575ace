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

/** Days that are summed at once. */
const AT_ONCE = 4;
/** The function has 15 s. */
const TIME: Millis = 10 * SECOND;

/** The payments of each day from one to another, both included, oldest first. */
export interface TotalOfDay extends DailyTotal {
  readonly date: string;
}

/**
 * What landed on each day of Lagos. Days that are over are summed once, and kept until one of their payments is reversed. Days that
 * cannot be summed in time are refused; what was summed until then is kept, so that another try goes further.
 * @throws service_unavailable, with the time to come back.
 */
export const sumByDay = async (
  deps: SumByDayDeps,
  tenant: Tenant,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly TotalOfDay[]> => {
  const startedAt = deps.now();
  const storedTotals = await deps.totals.read(tenant, from, to);
  const isLate = () => deps.now() - startedAt > TIME;
  const sumDay = async (date: string): Promise<TotalOfDay> => {
    const { total = null, reversal = null } = storedTotals.get(date) ?? {};
    if (total) return { date, ...total };
    const summed = await deps.totals.sum(tenant, date, isLate);
    if (!summed) throw new ApiError('service_unavailable', { retryAfterSeconds: 1 });
    const { total: sum, isWhole } = summed;
    // A day without payments is as quickly summed as read. A sum that lacks what cannot be read yet must not hold for good.
    if (isWhole && sum !== NOTHING_LANDED && isFinal(date, reversal?.at ?? null, startedAt))
      await deps.totals.keep(tenant, date, sum, reversal);
    return { date, ...sum };
  };
  const days: TotalOfDay[] = [];
  for (const dates of inBatches(lagosDates(from, to), AT_ONCE)) days.push(...(await Promise.all(dates.map(sumDay))));
  return days;
};

import { api } from '#shared/api/api.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { searchUsageId } from '#shared/businesses/domain/usage-limits.ts';
import { chargeUsageLimit, type UsageLimitDeps } from '#shared/businesses/use-cases/charge-usage-limit.ts';
import { getTotalsDeps } from '#shared/payments/compose-lists.ts';
import { getTotalsContract } from '#shared/payments/contract/get-totals.ts';
import { totalView } from '#shared/payments/contract/total-view.ts';
import { type SumByDayDeps, sumByDay } from '#shared/payments/use-cases/sum-by-day.ts';
import { readEnv } from '#shared/platform/env.ts';

/** Shows the totals of each day. */
export const getTotalsHandler = (deps: ApiDeps & UsageLimitDeps & SumByDayDeps) =>
  api(getTotalsContract, deps, async ({ caller, query }) => {
    // The total of an unfinished day is not stored: each request reads and sums the payments of such a day again. So a request for totals counts as
    // a search.
    await chargeUsageLimit(deps, 'search', [searchUsageId(caller)]);
    const days = await sumByDay(deps, caller, query);
    return { status: 200, body: { status: true, data: days.map(totalView) } };
  });

export const handler = getTotalsHandler(getTotalsDeps(readEnv(apiEnv, process.env)));

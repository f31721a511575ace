import { getTotalsDeps } from '#shared/composition/payments.ts';
import { getTotalsContract } from '#shared/contract/money/get-totals.ts';
import { totalView } from '#shared/contract/money/total-view.ts';
import { searchesOf } from '#shared/domain/webhooks/allowance.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { type AllowanceDeps, takeAllowance } from '#shared/use-cases/kernel/take-allowance.ts';
import { type SumByDayDeps, sumByDay } from '#shared/use-cases/money/sum-by-day.ts';

/** Answers with what landed on each day. */
export const getTotalsHandler = (deps: ApiDeps & AllowanceDeps & SumByDayDeps) =>
  api(getTotalsContract, deps, async ({ caller, query }) => {
    // A day that is not over is summed anew by each request.
    await takeAllowance(deps, 'search', [searchesOf(caller)]);
    const days = await sumByDay(deps, caller, query);
    return { status: 200, body: { status: true, data: days.map(totalView) } };
  });

export const handler = getTotalsHandler(getTotalsDeps(readEnv(apiEnv, process.env)));

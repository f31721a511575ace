import { businessDeps } from '#shared/composition/dashboard.ts';
import { businessView, getBusinessContract } from '#shared/contract/dashboard/business.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { type FindDeps, findBusiness } from '#shared/use-cases/kernel/find-business.ts';

/** Shows a business with what its payers see of it. */
export const getBusinessHandler = (deps: ApiDeps & FindDeps) =>
  api(getBusinessContract, deps, async ({ caller }) => ({
    status: 200,
    body: { status: true, data: businessView(await findBusiness(deps, caller.businessId)) },
  }));

export const handler = getBusinessHandler(businessDeps(readEnv(apiEnv, process.env)));

import { api } from '#shared/api/api.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { businessDeps } from '#shared/businesses/compose.ts';
import { businessView, getBusinessContract } from '#shared/businesses/contract/business.ts';
import { type FindDeps, findBusiness } from '#shared/businesses/use-cases/find-business.ts';
import { readEnv } from '#shared/platform/env.ts';

/** Shows a business and the profile that its payers see. */
export const getBusinessHandler = (deps: ApiDeps & FindDeps) =>
  api(getBusinessContract, deps, async ({ caller }) => ({
    status: 200,
    body: { status: true, data: businessView(await findBusiness(deps, caller.businessId)) },
  }));

export const handler = getBusinessHandler(businessDeps(readEnv(apiEnv, process.env)));

import { api } from '#shared/api/api.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { businessDeps } from '#shared/businesses/compose.ts';
import { listMembersContract, membersView } from '#shared/businesses/contract/members.ts';
import { type FindDeps, findBusiness } from '#shared/businesses/use-cases/find-business.ts';
import { readEnv } from '#shared/platform/env.ts';

/** Lists the members who may sign in to the dashboard for a business. */
export const listMembersHandler = (deps: ApiDeps & FindDeps) =>
  api(listMembersContract, deps, async ({ caller }) => ({
    status: 200,
    body: { status: true, data: membersView(await findBusiness(deps, caller.businessId)) },
  }));

export const handler = listMembersHandler(businessDeps(readEnv(apiEnv, process.env)));

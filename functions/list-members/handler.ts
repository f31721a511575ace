import { businessDeps } from '#shared/composition/dashboard.ts';
import { listMembersContract, membersView } from '#shared/contract/dashboard/members.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { type FindDeps, findBusiness } from '#shared/use-cases/kernel/find-business.ts';

/** Lists who may sign in to the dashboard of a business. */
export const listMembersHandler = (deps: ApiDeps & FindDeps) =>
  api(listMembersContract, deps, async ({ caller }) => ({
    status: 200,
    body: { status: true, data: membersView(await findBusiness(deps, caller.businessId)) },
  }));

export const handler = listMembersHandler(businessDeps(readEnv(apiEnv, process.env)));

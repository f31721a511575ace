import { membersDeps } from '#shared/composition/dashboard.ts';
import { membersView, removeMemberContract } from '#shared/contract/dashboard/members.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import { authorOf } from '#shared/http/author.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { type ChangeMembersDeps, endMembership } from '#shared/use-cases/members/change-members.ts';

/** Ends a membership, for an owner. */
export const removeMemberHandler = (deps: ApiDeps & ChangeMembersDeps) =>
  api(removeMemberContract, deps, async (request) => {
    const input = { businessId: request.caller.businessId, userId: request.params.id, who: authorOf(request) };
    return { status: 200, body: { status: true, data: membersView(await endMembership(deps, input)) } };
  });

export const handler = removeMemberHandler(membersDeps(readEnv(apiEnv, process.env)));

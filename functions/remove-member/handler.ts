import { api } from '#shared/api/api.ts';
import { requireAuthor } from '#shared/api/author.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { membersDeps } from '#shared/businesses/compose.ts';
import { membersView, removeMemberContract } from '#shared/businesses/contract/members.ts';
import { type ChangeMembersDeps, endMembership } from '#shared/members/use-cases/change-members.ts';
import { readEnv } from '#shared/platform/env.ts';

/** Removes a member from a business. Only owners may. */
export const removeMemberHandler = (deps: ApiDeps & ChangeMembersDeps) =>
  api(removeMemberContract, deps, async (request) => {
    const input = { businessId: request.caller.businessId, userId: request.params.id, actor: requireAuthor(request) };
    return { status: 200, body: { status: true, data: membersView(await endMembership(deps, input)) } };
  });

export const handler = removeMemberHandler(membersDeps(readEnv(apiEnv, process.env)));

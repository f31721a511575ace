import { api } from '#shared/api/api.ts';
import { requireAuthor } from '#shared/api/author.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { membersDeps } from '#shared/businesses/compose.ts';
import { inviteMemberContract, membersView } from '#shared/businesses/contract/members.ts';
import { type ChangeMembersDeps, inviteMember } from '#shared/members/use-cases/change-members.ts';
import { readEnv } from '#shared/platform/env.ts';

/** Makes a person a member of the business. Only owners may. */
export const inviteMemberHandler = (deps: ApiDeps & ChangeMembersDeps) =>
  api(inviteMemberContract, deps, async (request) => {
    const { businessId } = request.caller;
    const business = await inviteMember(deps, { ...request.body, businessId, actor: requireAuthor(request) });
    return { status: 201, body: { status: true, data: membersView(business) } };
  });

export const handler = inviteMemberHandler(membersDeps(readEnv(apiEnv, process.env)));

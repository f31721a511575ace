import { membersDeps } from '#shared/composition/dashboard.ts';
import { inviteMemberContract, membersView } from '#shared/contract/dashboard/members.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import { authorOf } from '#shared/http/author.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { type ChangeMembersDeps, inviteMember } from '#shared/use-cases/members/change-members.ts';

/** Makes a person a member of the business, for an owner. */
export const inviteMemberHandler = (deps: ApiDeps & ChangeMembersDeps) =>
  api(inviteMemberContract, deps, async (request) => {
    const { businessId } = request.caller;
    const business = await inviteMember(deps, { ...request.body, businessId, who: authorOf(request) });
    return { status: 201, body: { status: true, data: membersView(business) } };
  });

export const handler = inviteMemberHandler(membersDeps(readEnv(apiEnv, process.env)));

import { membersDeps } from '#shared/composition/dashboard.ts';
import { changeMemberContract, membersView } from '#shared/contract/dashboard/members.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import { authorOf } from '#shared/http/author.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { type ChangeMembersDeps, changeRole } from '#shared/use-cases/members/change-members.ts';

/** Gives a member another role, for an owner. */
export const changeMemberHandler = (deps: ApiDeps & ChangeMembersDeps) =>
  api(changeMemberContract, deps, async (request) => {
    const { businessId } = request.caller;
    const input = { businessId, userId: request.params.id, role: request.body.role, who: authorOf(request) };
    return { status: 200, body: { status: true, data: membersView(await changeRole(deps, input)) } };
  });

export const handler = changeMemberHandler(membersDeps(readEnv(apiEnv, process.env)));

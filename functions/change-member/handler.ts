import { api } from '#shared/api/api.ts';
import { requireAuthor } from '#shared/api/author.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { membersDeps } from '#shared/businesses/compose.ts';
import { changeMemberContract, membersView } from '#shared/businesses/contract/members.ts';
import { type ChangeMembersDeps, changeRole } from '#shared/members/use-cases/change-members.ts';
import { readEnv } from '#shared/platform/env.ts';

/** Changes a member's role. Only owners may. */
export const changeMemberHandler = (deps: ApiDeps & ChangeMembersDeps) =>
  api(changeMemberContract, deps, async (request) => {
    const { businessId } = request.caller;
    const input = { businessId, userId: request.params.id, role: request.body.role, actor: requireAuthor(request) };
    return { status: 200, body: { status: true, data: membersView(await changeRole(deps, input)) } };
  });

export const handler = changeMemberHandler(membersDeps(readEnv(apiEnv, process.env)));

import { api } from '#shared/api/api.ts';
import { requireAuthor } from '#shared/api/author.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { membersDeps } from '#shared/businesses/compose.ts';
import { membersView, resetMemberPasskeysContract } from '#shared/businesses/contract/members.ts';
import { type ChangeMembersDeps, resetPasskeys } from '#shared/members/use-cases/change-members.ts';
import type { EndSessionsDeps } from '#shared/members/use-cases/end-sessions.ts';
import { readEnv } from '#shared/platform/env.ts';

/** Removes the passkeys of a member who lost them. Only owners may. */
export const resetMemberPasskeysHandler = (deps: ApiDeps & ChangeMembersDeps & EndSessionsDeps) =>
  api(resetMemberPasskeysContract, deps, async (request) => {
    const input = { businessId: request.caller.businessId, userId: request.params.id, actor: requireAuthor(request) };
    return { status: 200, body: { status: true, data: membersView(await resetPasskeys(deps, input)) } };
  });

export const handler = resetMemberPasskeysHandler(membersDeps(readEnv(apiEnv, process.env)));

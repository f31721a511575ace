import { membersDeps } from '#shared/composition/dashboard.ts';
import { membersView, resetMemberPasskeysContract } from '#shared/contract/dashboard/members.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import { authorOf } from '#shared/http/author.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { type ChangeMembersDeps, resetPasskeys } from '#shared/use-cases/members/change-members.ts';
import type { EndSessionsDeps } from '#shared/use-cases/members/end-sessions.ts';

/** Removes the passkeys of a member who lost them, for an owner. */
export const resetMemberPasskeysHandler = (deps: ApiDeps & ChangeMembersDeps & EndSessionsDeps) =>
  api(resetMemberPasskeysContract, deps, async (request) => {
    const input = { businessId: request.caller.businessId, userId: request.params.id, who: authorOf(request) };
    return { status: 200, body: { status: true, data: membersView(await resetPasskeys(deps, input)) } };
  });

export const handler = resetMemberPasskeysHandler(membersDeps(readEnv(apiEnv, process.env)));

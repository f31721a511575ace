import { passkeyDeps } from '#shared/composition/members.ts';
import { passkeysView } from '#shared/contract/members/passkey-view.ts';
import { removePasskeyContract } from '#shared/contract/members/passkeys.ts';
import { readEnv, tableEnv } from '#shared/env/kernel.ts';
import { sessionRoute } from '#shared/http/dashboard.ts';
import type { PublicDeps } from '#shared/http/kernel/types.ts';
import type { ChangePasskeysDeps } from '#shared/use-cases/members/add-passkey.ts';
import type { EndSessionsDeps } from '#shared/use-cases/members/end-sessions.ts';
import { removePasskey } from '#shared/use-cases/members/remove-passkey.ts';

/** Removes a passkey of the user, and ends the user's other sessions. */
export const removePasskeyHandler = (deps: PublicDeps & ChangePasskeysDeps & EndSessionsDeps) =>
  sessionRoute(removePasskeyContract, deps, async ({ params: { id }, from }, session) => ({
    status: 200,
    body: { status: true, data: passkeysView(await removePasskey(deps, session, { id, from })) },
  }));

export const handler = removePasskeyHandler(passkeyDeps(readEnv(tableEnv, process.env)));

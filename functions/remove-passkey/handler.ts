import { sessionRoute } from '#shared/api/dashboard.ts';
import type { ChainDeps } from '#shared/api/http/types.ts';
import { passkeyDeps } from '#shared/members/compose.ts';
import { passkeysView } from '#shared/members/contract/passkey-view.ts';
import { removePasskeyContract } from '#shared/members/contract/passkeys.ts';
import type { ChangePasskeysDeps } from '#shared/members/use-cases/add-passkey.ts';
import type { EndSessionsDeps } from '#shared/members/use-cases/end-sessions.ts';
import { removePasskey } from '#shared/members/use-cases/remove-passkey.ts';
import { readEnv, tableEnv } from '#shared/platform/env.ts';

/** Removes a passkey of the user, and ends the user's other sessions. */
export const removePasskeyHandler = (deps: ChainDeps & ChangePasskeysDeps & EndSessionsDeps) =>
  sessionRoute(removePasskeyContract, deps, async ({ params: { id }, requestOrigin: from }, session) => ({
    status: 200,
    body: { status: true, data: passkeysView(await removePasskey(deps, session, { id, from })) },
  }));

export const handler = removePasskeyHandler(passkeyDeps(readEnv(tableEnv, process.env)));

import { sessionRoute } from '#shared/api/dashboard.ts';
import type { ChainDeps } from '#shared/api/http/types.ts';
import { verifiedPasskeyDeps } from '#shared/members/compose-passkeys.ts';
import { passkeysView } from '#shared/members/contract/passkey-view.ts';
import { addPasskeyContract } from '#shared/members/contract/passkeys.ts';
import type { SessionReader } from '#shared/members/ports.ts';
import { type AddPasskeyDeps, addPasskey } from '#shared/members/use-cases/add-passkey.ts';
import { readEnv, tableEnv } from '#shared/platform/env.ts';

/** Stores a new passkey of the signed-in user. */
export const addPasskeyHandler = (deps: ChainDeps & AddPasskeyDeps & { readonly sessions: SessionReader }) =>
  sessionRoute(addPasskeyContract, deps, async ({ body: { name, ...passkey }, site, requestOrigin: from }, session) => {
    const user = await addPasskey(deps, session, { name, passkey, site, from });
    return { status: 201, body: { status: true, data: passkeysView(user) } };
  });

export const handler = addPasskeyHandler(verifiedPasskeyDeps(readEnv(tableEnv, process.env)));

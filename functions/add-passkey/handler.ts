import { verifiedPasskeyDeps } from '#shared/composition/passkeys.ts';
import { passkeysView } from '#shared/contract/members/passkey-view.ts';
import { addPasskeyContract } from '#shared/contract/members/passkeys.ts';
import { readEnv, tableEnv } from '#shared/env/kernel.ts';
import { sessionRoute } from '#shared/http/dashboard.ts';
import type { PublicDeps } from '#shared/http/kernel/types.ts';
import type { SessionReader } from '#shared/ports/members.ts';
import { type AddPasskeyDeps, addPasskey } from '#shared/use-cases/members/add-passkey.ts';

/** Adds the passkey that a browser made to the user of its session. */
export const addPasskeyHandler = (deps: PublicDeps & AddPasskeyDeps & { readonly sessions: SessionReader }) =>
  sessionRoute(addPasskeyContract, deps, async ({ body: { name, ...passkey }, site, from }, session) => {
    const user = await addPasskey(deps, session, { name, passkey, site, from });
    return { status: 201, body: { status: true, data: passkeysView(user) } };
  });

export const handler = addPasskeyHandler(verifiedPasskeyDeps(readEnv(tableEnv, process.env)));

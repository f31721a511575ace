import { passkeyDeps } from '#shared/composition/members.ts';
import { creationView } from '#shared/contract/members/passkey-view.ts';
import { startPasskeyContract } from '#shared/contract/members/passkeys.ts';
import { readEnv, tableEnv } from '#shared/env/kernel.ts';
import { sessionRoute } from '#shared/http/dashboard.ts';
import type { PublicDeps } from '#shared/http/kernel/types.ts';
import type { SessionReader } from '#shared/ports/members.ts';
import { type StartPasskeyDeps, startPasskey } from '#shared/use-cases/members/start-passkey.ts';

/** Begins to add a passkey: says what the browser is to make. */
export const startPasskeyHandler = (deps: PublicDeps & StartPasskeyDeps & { readonly sessions: SessionReader }) =>
  sessionRoute(startPasskeyContract, deps, async ({ site }, session) => {
    const { user, challenge } = await startPasskey(deps, session);
    return { status: 200, body: { status: true, data: creationView(user, challenge, site.host) } };
  });

export const handler = startPasskeyHandler(passkeyDeps(readEnv(tableEnv, process.env)));

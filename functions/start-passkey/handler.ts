import { sessionRoute } from '#shared/api/dashboard.ts';
import type { ChainDeps } from '#shared/api/http/types.ts';
import { passkeyDeps } from '#shared/members/compose.ts';
import { creationOptionsView } from '#shared/members/contract/passkey-view.ts';
import { startPasskeyContract } from '#shared/members/contract/passkeys.ts';
import type { SessionReader } from '#shared/members/ports.ts';
import { type StartPasskeyDeps, startPasskey } from '#shared/members/use-cases/start-passkey.ts';
import { readEnv, tableEnv } from '#shared/platform/env.ts';

/** Starts adding a passkey: tells the browser which credential to create. */
export const startPasskeyHandler = (deps: ChainDeps & StartPasskeyDeps & { readonly sessions: SessionReader }) =>
  sessionRoute(startPasskeyContract, deps, async ({ site }, session) => {
    const { user, challenge } = await startPasskey(deps, session);
    return { status: 200, body: { status: true, data: creationOptionsView(user, challenge, site.host) } };
  });

export const handler = startPasskeyHandler(passkeyDeps(readEnv(tableEnv, process.env)));

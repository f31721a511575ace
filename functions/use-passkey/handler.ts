import { signInRoute } from '#shared/api/dashboard.ts';
import { readCookie, setCookie } from '#shared/api/http/cookies.ts';
import type { ChainDeps } from '#shared/api/http/types.ts';
import { verifiedPasskeyDeps } from '#shared/members/compose-passkeys.ts';
import { meView } from '#shared/members/contract/me-view.ts';
import { usePasskeyContract } from '#shared/members/contract/passkeys.ts';
import { SESSION_LIFETIME } from '#shared/members/domain/session.ts';
import { type ShowMeDeps, showMe } from '#shared/members/use-cases/show-me.ts';
import { type UsePasskeyDeps, usePasskey } from '#shared/members/use-cases/use-passkey.ts';
import { readEnv, tableEnv } from '#shared/platform/env.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';

/** Signs a user in with a passkey, or steps up a session. */
export const usePasskeyHandler = (deps: ChainDeps & UsePasskeyDeps & ShowMeDeps) =>
  signInRoute(usePasskeyContract, deps, async ({ body, event, site, requestOrigin: from }) => {
    const { session, token } = await usePasskey(deps, {
      passkey: body,
      site,
      from,
      token: readCookie(event, 'session'),
    });
    return {
      status: 200,
      body: { status: true, data: meView(session, await showMe(deps, session), deps.now()) },
      cookies: [setCookie(event, 'session', token, SESSION_LIFETIME / SECOND)],
    };
  });

export const handler = usePasskeyHandler(verifiedPasskeyDeps(readEnv(tableEnv, process.env)));

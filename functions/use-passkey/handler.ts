import { verifiedPasskeyDeps } from '#shared/composition/passkeys.ts';
import { meView } from '#shared/contract/members/me-view.ts';
import { usePasskeyContract } from '#shared/contract/members/passkeys.ts';
import { SECOND } from '#shared/domain/kernel/time.ts';
import { SESSION_LIFETIME } from '#shared/domain/members/session.ts';
import { readEnv, tableEnv } from '#shared/env/kernel.ts';
import { signInRoute } from '#shared/http/dashboard.ts';
import { readCookie, setCookie } from '#shared/http/kernel/cookies.ts';
import type { PublicDeps } from '#shared/http/kernel/types.ts';
import { type ShowMeDeps, showMe } from '#shared/use-cases/members/show-me.ts';
import { type UsePasskeyDeps, usePasskey } from '#shared/use-cases/members/use-passkey.ts';

/** Signs somebody in with a passkey, or steps a session up. */
export const usePasskeyHandler = (deps: PublicDeps & UsePasskeyDeps & ShowMeDeps) =>
  signInRoute(usePasskeyContract, deps, async ({ body, event, site, from }) => {
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

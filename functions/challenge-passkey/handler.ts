import { signInRoute } from '#shared/api/dashboard.ts';
import type { ChainDeps } from '#shared/api/http/types.ts';
import { readSession } from '#shared/api/middlewares/admit-session.ts';
import { passkeyDeps } from '#shared/members/compose.ts';
import { challengeView } from '#shared/members/contract/passkey-view.ts';
import { challengePasskeyContract } from '#shared/members/contract/passkeys.ts';
import type { SessionReader } from '#shared/members/ports.ts';
import { type ChallengeDeps, newChallenge } from '#shared/members/use-cases/challenges.ts';
import { readEnv, tableEnv } from '#shared/platform/env.ts';

/**
 * Issues a challenge for a passkey to sign, at sign-in or step-up. Each signed-in user has a separate limit for challenges. Visitors of one network
 * who are not signed in share another limit, so they cannot use up the user's.
 */
export const challengePasskeyHandler = (deps: ChainDeps & ChallengeDeps & { readonly sessions: SessionReader }) =>
  signInRoute(challengePasskeyContract, deps, async ({ event, requestOrigin: from, site }) => {
    const session = await readSession(deps, event);
    const challenge = await newChallenge(deps, session?.userId ?? from.addressBlock, null);
    return { status: 200, body: { status: true, data: challengeView(challenge, site.host) } };
  });

export const handler = challengePasskeyHandler(passkeyDeps(readEnv(tableEnv, process.env)));

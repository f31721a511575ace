import { passkeyDeps } from '#shared/composition/members.ts';
import { challengeView } from '#shared/contract/members/passkey-view.ts';
import { challengePasskeyContract } from '#shared/contract/members/passkeys.ts';
import { readEnv, tableEnv } from '#shared/env/kernel.ts';
import { signInRoute } from '#shared/http/dashboard.ts';
import type { PublicDeps } from '#shared/http/kernel/types.ts';
import { sessionOf } from '#shared/http/middlewares/admit-session.ts';
import type { SessionReader } from '#shared/ports/members.ts';
import { type ChallengeDeps, newChallenge } from '#shared/use-cases/members/challenges.ts';

/** Says what a passkey is to sign, for whoever signs in or steps up. Strangers in a member's network use up nothing of the member's own. */
export const challengePasskeyHandler = (deps: PublicDeps & ChallengeDeps & { readonly sessions: SessionReader }) =>
  signInRoute(challengePasskeyContract, deps, async ({ event, from, site }) => {
    const session = await sessionOf(deps, event);
    const challenge = await newChallenge(deps, session?.userId ?? from.addressBlock, null);
    return { status: 200, body: { status: true, data: challengeView(challenge, site.host) } };
  });

export const handler = challengePasskeyHandler(passkeyDeps(readEnv(tableEnv, process.env)));

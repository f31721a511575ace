import { addPasskeyHandler } from '#functions/add-passkey/handler.ts';
import { challengePasskeyHandler } from '#functions/challenge-passkey/handler.ts';
import { endSessionHandler } from '#functions/end-session/handler.ts';
import { listSessionsHandler } from '#functions/list-sessions/handler.ts';
import { removePasskeyHandler } from '#functions/remove-passkey/handler.ts';
import { showMeHandler } from '#functions/show-me/handler.ts';
import { startPasskeyHandler } from '#functions/start-passkey/handler.ts';
import { startSignInHandler } from '#functions/start-sign-in/handler.ts';
import { usePasskeyHandler } from '#functions/use-passkey/handler.ts';
import type { ApiHandler } from '#shared/api/http/types.ts';
import {
  addPasskeyContract,
  challengePasskeyContract,
  removePasskeyContract,
  startPasskeyContract,
  usePasskeyContract,
} from '#shared/members/contract/passkeys.ts';
import { endSessionContract, listSessionsContract, showMeContract } from '#shared/members/contract/sessions.ts';
import { startSignInContract } from '#shared/members/contract/sign-in.ts';
import { deriveUserId } from '#shared/members/domain/user.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';
import { inRole } from '#test/support/permissions/roles.ts';
import { type Authenticator, createAuthenticator } from './authenticator.ts';
import { callAs, type DashboardCall, makeMembersDeps, OWN_PAGE, signIn } from './dashboard.ts';
import type { World } from './world.ts';

const { origin } = OWN_PAGE;

/** Acts like a member's browser: it keeps the cookie, and uses the authenticators that it gets. */
export const createAccountClient = (world: World, cookie?: string) => {
  const { deps, mails } = makeMembersDeps(world);
  let storedCookie = cookie;
  const makeCall = (name: string, handler: ApiHandler, contract: Contract) => {
    const restricted = inRole(name, handler);
    return async (call: DashboardCall = {}) => {
      const answer = await callAs(restricted, contract, {
        ...(storedCookie !== undefined && { cookie: storedCookie }),
        ...call,
      });
      const [setCookie] = answer.cookies;
      if (setCookie !== undefined) storedCookie = setCookie.slice(0, setCookie.indexOf(';'));
      return answer;
    };
  };
  const routes = {
    askForCode: makeCall('start-sign-in', startSignInHandler(deps), startSignInContract),
    me: makeCall('show-me', showMeHandler(deps), showMeContract),
    sessions: makeCall('list-sessions', listSessionsHandler(deps), listSessionsContract),
    endSession: makeCall('end-session', endSessionHandler(deps), endSessionContract),
    options: makeCall('start-passkey', startPasskeyHandler(deps), startPasskeyContract),
    add: makeCall('add-passkey', addPasskeyHandler(deps), addPasskeyContract),
    remove: makeCall('remove-passkey', removePasskeyHandler(deps), removePasskeyContract),
    challenge: makeCall('challenge-passkey', challengePasskeyHandler(deps), challengePasskeyContract),
    use: makeCall('use-passkey', usePasskeyHandler(deps), usePasskeyContract),
  };
  return {
    ...routes,
    mails,
    cookie: () => storedCookie ?? '',
    /** Adds a passkey, as the page does. */
    addPasskey: async (key: Authenticator = createAuthenticator(), name = 'Chrome on Mac') => {
      const options = await routes.options();
      if (options.status !== 200) return options;
      return routes.add({ body: { name, ...key.make({ challenge: options.json.data.challenge, origin }) } });
    },
    /** Signs in or steps up with a passkey. */
    usePasskey: async (key: Authenticator, email: string) => {
      const { json } = await routes.challenge();
      return routes.use({ body: key.use({ challenge: json.data.challenge, origin, userId: deriveUserId(email) }) });
    },
  };
};

/** Signs in a member whose passkey may change live mode and was used just now. */
export const signInSteppedUp = async (world: World, email: string) => {
  const client = createAccountClient(world, await signIn(world, email));
  const key = createAuthenticator();
  await client.addPasskey(key);
  world.clock.advance(24 * 60 * 60_000);
  await client.usePasskey(key, email);
  return { ...client, key };
};

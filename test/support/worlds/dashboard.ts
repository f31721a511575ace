import { randomUUID } from 'node:crypto';
import type { ApiHandler } from '#shared/api/http/types.ts';
import { computeCode } from '#shared/members/domain/sign-in.ts';
import { tokenHash } from '#shared/members/domain/token.ts';
import type { CodeMail, Mail, SendMail } from '#shared/members/ports.ts';
import { inviteMember } from '#shared/members/use-cases/change-members.ts';
import { finishSignIn } from '#shared/members/use-cases/finish-sign-in.ts';
import { startSignIn } from '#shared/members/use-cases/start-sign-in.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { Role } from '#shared/platform/kernel/role.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import { apiEvent, lambdaContext } from './api-event.ts';
import { sendNotices } from './functions.ts';
import { SIGN_IN_KEY } from './keys.ts';
import type { World } from './world.ts';

/** The browser and the address from which members call. */
export const FROM = { browser: 'Firefox', address: '102.89.23.17', addressBlock: '102.89.23.17' };
/** The only link that mails contain. */
export const SIGN_IN_URL = 'https://api.example.com/dashboard';
/** The headers that a browser sends with a call of the dashboard's own page. The page is at the address of apiEvent. */
export const OWN_PAGE = { origin: 'https://api.example.com', 'sec-fetch-site': 'same-origin' };

/** Makes the dependencies of the use cases of members from those of a world. `mails` collects the code mails that they send. */
export const makeMembersDeps = ({ deps }: World) => {
  const mails: CodeMail[] = [];
  const send = async (mail: CodeMail): Promise<void> => {
    mails.push(mail);
  };
  return { mails, deps: { ...deps, mails: { send } } };
};

/** Mails the notices that are due, as the function does. Returns the sent mails. */
export const mailNotices = async (
  { deps, clock }: World,
  send: SendMail = async () => 'sent',
  deadline = clock.now() + MINUTE,
): Promise<Mail[]> => {
  const sent: Mail[] = [];
  const sendMail = async (mail: Mail) => {
    const outcome = await send(mail);
    if (outcome === 'sent') sent.push(mail);
    return outcome;
  };
  await sendNotices({ ...deps, sendMail, wait: async () => {}, signInUrl: SIGN_IN_URL }, deadline);
  return sent;
};

/** Lists the first lines of mails, in alphabetical order. */
export const firstLines = (mails: readonly Mail[]): string[] =>
  mails.map(({ text }) => text.slice(0, text.indexOf('\n'))).sort();

/** Makes a person a member of a business. */
export const invite = (world: World, businessId: string, email: string, role: Role) =>
  inviteMember(world.deps, { businessId, email, role, actor: 'a test' });

/** Signs a member in. Returns the session's cookie. */
export const signIn = async (world: World, email: string) => {
  const { deps } = makeMembersDeps(world);
  // Each sign-in comes from another network, so that no test reaches another's limit.
  const from = { ...FROM, addressBlock: randomUUID() };
  const { token, cookie } = await startSignIn(deps, { email, requestOrigin: from, previousCookie: undefined });
  const code = computeCode(SIGN_IN_KEY, tokenHash(token));
  const { token: session } = await finishSignIn(deps, { signInCookie: cookie, code, from, replacedToken: undefined });
  return `__Host-session=${session}`;
};

/** The parts of a browser's call. */
export interface DashboardCall {
  readonly cookie?: string;
  readonly businessId?: string;
  /** Empty: the header is left out. */
  readonly mode?: Mode | '' | 'Live';
  readonly body?: unknown;
  readonly query?: Record<string, string>;
  readonly params?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly userAgent?: string;
}

/** Calls that the dashboard's page never makes: from another site, from no browser, or with an invalid cookie. */
export const callsFromElsewhere = (cookie: string): Readonly<Record<string, DashboardCall>> => ({
  'another site': { cookie, headers: { origin: OWN_PAGE.origin, 'sec-fetch-site': 'cross-site' } },
  'a site beside it': { cookie, headers: { origin: OWN_PAGE.origin, 'sec-fetch-site': 'same-site' } },
  'another origin': { cookie, headers: { origin: 'https://evil.example.com' } },
  'no browser': { cookie, headers: {} },
  'a cookie of the form': { cookie: `__Host-session=${'A'.repeat(43)}` },
  'the name of the local stack': { cookie: cookie.replace('__Host-', 'payments-') },
});

/** Makes calls in turn, and returns their answers. */
export const collectAnswers = async (
  makeCall: (call: DashboardCall) => Promise<string>,
  calls: Readonly<Record<string, DashboardCall>>,
): Promise<Record<string, string>> => {
  const answers: Record<string, string> = {};
  for (const [name, call] of Object.entries(calls)) answers[name] = await makeCall(call);
  return answers;
};

/** Calls an endpoint as the dashboard's page does. */
export const callAs = async (handler: ApiHandler, contract: Contract, call: DashboardCall) => {
  const { cookie, businessId, mode = 'test', body, query, params = {}, headers = OWN_PAGE, userAgent } = call;
  const path = contract.path
    .replace('/api/v1/', '/api/dashboard/v1/')
    .replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? 'none');
  const event = apiEvent({
    method: contract.method,
    path,
    params,
    ...(query && { query }),
    ...(body !== undefined && { body }),
    ...(userAgent !== undefined && { userAgent }),
    headers: {
      ...headers,
      ...(mode && { 'x-dashboard-mode': mode }),
      ...(businessId && { 'x-business-id': businessId }),
    },
  });
  const answer = await handler({ ...event, ...(cookie && { cookies: [cookie] }) }, lambdaContext());
  const { statusCode: status, headers: sent, cookies = [] } = answer;
  return { status, headers: sent, cookies, json: JSON.parse(answer.body) };
};

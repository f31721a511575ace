import { listSessionRoutes } from '#infra/function-spec.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import { DAY, MINUTE } from '#shared/platform/kernel/time.ts';
import { png } from '#test/support/pictures.ts';
import { type Authenticator, createAuthenticator } from '#test/support/worlds/authenticator.ts';
import type { RecordedStage } from './stage.ts';
import { makeCustomer, PAYER } from './steps.ts';

const OWNER = 'ada@ada-stores.example.com';
const DEVELOPER = 'chidi@ada-stores.example.com';

/** The body for each endpoint, by the end of its path. */
const BODIES: readonly (readonly [RegExp, unknown])[] = [
  [/\/virtual-accounts$/, { ...makeCustomer(), banks: ['paystack'] }],
  [/\/checkout\/initialize$/, { amount: 8_500.75, ...PAYER }],
  [/\/checkout\/sandbox\/simulate$/, { reference: 'PAY-0123456789ABCDEFGHIJ' }],
  [/\/virtual-accounts\/[^/]*\/sandbox\/simulate$/, { amount: 100 }],
  [/\/webhook-endpoints$/, { url: 'https://example.com/webhooks', events: ['*'] }],
  [/\/recover$/, { since: '2026-11-20T12:00:00Z' }],
  [/\/webhook-endpoints\/[^/]*$/, { enabled: false }],
];

/** Statuses of answers that come before a function begins its work. A scene that gets such an answer proves nothing. */
const EARLY_STATUSES = [400, 401, 403, 415, 422, 429];

/** Makes the changes of a member that keys can make, too. Each is an entry of the audit log. */
const makeMemberChanges = async (
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any field of the answer, and fails if it is missing.
  ask: (method: string, path: string, body?: unknown) => Promise<any>,
): Promise<void> => {
  const { data: endpoint } = await ask('POST', '/v1/webhook-endpoints', { url: 'https://example.com/by-hand' });
  const [{ reference }, { reference: other }] = [
    (await ask('POST', '/v1/checkout/initialize', { amount: 8_500.75, ...PAYER })).data,
    (await ask('POST', '/v1/checkout/initialize', { amount: 1_200, ...PAYER })).data,
  ];
  await ask('POST', '/v1/checkout/sandbox/simulate', { reference, status: 'success' });
  await ask('POST', `/v1/checkouts/${reference}/requery`);
  await ask('POST', `/v1/checkouts/${other}/another-account`);
  await ask('POST', `/v1/checkouts/${other}/expire`);
  const banks = ['paystack', 'monnify'];
  const { accounts } = await ask('POST', '/v1/virtual-accounts', { ...makeCustomer(), banks });
  await ask('POST', `/v1/virtual-accounts/${accounts[0].id}/sandbox/simulate`, { amount: 1_250.5 });
  await ask('DELETE', `/v1/virtual-accounts/${accounts[0].id}`);
  await ask('POST', `/v1/virtual-accounts/${accounts[1].id}/delete`, {});
  await ask('POST', `/v1/webhook-endpoints/${endpoint.id}/test`);
  await ask('POST', `/v1/webhook-endpoints/${endpoint.id}/recover`, { since: '2026-11-20T12:00:00Z' });
  const { data: events } = await ask('GET', '/v1/events');
  await ask('POST', `/v1/events/${events[0].id}/redeliver`, {});
};

/** Makes valid requests of a member that are refused. Each is an entry of the audit log, too. */
const makeRefusedRequests = async (
  call: (method: string, path: string, body?: unknown) => Promise<{ readonly status: number }>,
): Promise<void> => {
  const checkout = { amount: 8_500.75, ...PAYER, merchant_reference: 'ORDER-1042' };
  const { status } = await call('POST', '/v1/checkout/initialize', checkout);
  if (status !== 201) throw new Error(`A checkout was answered with ${status}.`);
  const requests: readonly (readonly [method: string, path: string, body?: unknown])[] = [
    ['POST', '/v1/checkout/initialize', checkout],
    [
      'POST',
      '/v1/virtual-accounts',
      { ...makeCustomer(), customer_email: 'fail+all@example.com', banks: ['paystack'] },
    ],
    ['POST', '/v1/keys/none/revoke'],
    ['POST', '/v1/members', { email: OWNER, role: 'viewer' }],
    ['PATCH', '/v1/members/none', { role: 'viewer' }],
    ['DELETE', '/v1/members/none'],
    ['POST', '/v1/members/none/reset-passkeys'],
  ];
  for (const [method, path, body] of requests) {
    const answer = await call(method, path, body);
    if (![404, 409, 422].includes(answer.status)) throw new Error(`${method} ${path} answered ${answer.status}.`);
  }
};

/** Plays a member who signs in and uses every endpoint of the API and of the dashboard with the session. */
export const dashboard = async (stage: RecordedStage): Promise<void> => {
  const { browserOf, mailNotices, confirm, leaveUnclosed, origin, userId } = await stage.openDashboard(
    'Ada Stores Limited',
    OWNER,
  );
  const call = await browserOf(OWNER);
  const ask = async (method: string, path: string, body?: unknown, mode?: Mode) => {
    const { status, json } = await call(method, path, body, mode);
    if (!EARLY_STATUSES.includes(status) && status < 500) return json;
    throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(json)}`);
  };
  await ask('GET', '/me');
  const routes = FUNCTIONS.flatMap(({ trigger }) => listSessionRoutes(trigger)).map((route) => {
    const [method = '', path = ''] = route.split(' ');
    const query = path.endsWith('/totals') ? '?from=2026-11-20&to=2026-11-20' : '';
    const named = path.replace('/api/dashboard', '').replace(/\{\w+\}/, 'none') + query;
    const [, body = {}] = BODIES.find(([end]) => end.test(named)) ?? [];
    return [method, named, method === 'GET' || method === 'DELETE' ? undefined : body] as const;
  });
  for (const [method, path, body] of routes) await ask(method, path, body);
  const { data: endpoint } = await ask('POST', '/v1/webhook-endpoints', { url: 'https://example.com/more' });
  await ask('PATCH', `/v1/webhook-endpoints/${endpoint.id}`, { enabled: false });
  await ask('POST', `/v1/webhook-endpoints/${endpoint.id}/rotate-secret`, { grace_seconds: 60 });
  await ask('DELETE', `/v1/webhook-endpoints/${endpoint.id}`);
  await makeMemberChanges(ask);
  const key = createAuthenticator();
  const use = async () => {
    const { challenge } = (await ask('POST', '/passkeys/challenge')).data;
    await ask('POST', '/passkeys/verify', key.use({ challenge, origin, userId }));
  };
  const add = async (passkey: Authenticator) => {
    const { challenge } = (await ask('POST', '/passkeys/options')).data;
    return (await ask('POST', '/passkeys', { name: 'Chrome on Mac', ...passkey.make({ challenge, origin }) })).data
      .passkeys;
  };
  const [{ id }] = await add(key);
  await confirm(id);
  await use();
  // A member needs a passkey for changes in live mode. Requests that only test mode allows are refused after that check.
  for (const [method, path, body] of routes.filter(([method]) => method !== 'GET')) {
    const { status } = await call(method, path, body, 'live');
    if (status === 401 || status >= 500) throw new Error(`${method} ${path} answered ${status} in live mode.`);
  }
  await makeRefusedRequests(call);
  const { data: live } = await ask('POST', '/v1/webhook-endpoints', { url: 'https://example.com/live' }, 'live');
  await ask('PATCH', `/v1/webhook-endpoints/${live.id}`, { enabled: false }, 'live');
  await ask('POST', `/v1/webhook-endpoints/${live.id}/rotate-secret`, { grace_seconds: 60 }, 'live');
  await ask('DELETE', `/v1/webhook-endpoints/${live.id}`, undefined, 'live');
  const { data: created } = await ask('POST', '/v1/keys', { kind: 'secret' }, 'live');
  /** Changes endpoints with a live key. The owner is notified of each change. */
  const callWithKey = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${origin}/api/v1/webhook-endpoints${path}`, {
      method,
      headers: { authorization: `Bearer ${created.key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}.`);
    return ((await answer.json()) as { data: { id: string } }).data;
  };
  const { id: endpointId } = await callWithKey('POST', '', { url: 'https://example.com/live' });
  await callWithKey('PATCH', `/${endpointId}`, { enabled: false });
  await callWithKey('POST', `/${endpointId}/rotate-secret`, { grace_seconds: 60 });
  await callWithKey('DELETE', `/${endpointId}`);
  await ask('GET', '/v1/keys');
  await ask('PATCH', `/v1/keys/${created.id}`, { ip_whitelist: ['102.89.23.17'] }, 'live');
  const { data: rolled } = await ask('POST', `/v1/keys/${created.id}/roll`, { grace_seconds: 60 }, 'live');
  await ask('POST', `/v1/keys/${rolled.id}/revoke`, undefined, 'live');
  await ask('PATCH', '/v1/business', { display_name: 'Ada Fabrics', support: 'help@ada-stores.example.com' });
  for (const size of [32, 64]) {
    const { data } = await ask('PATCH', '/v1/business', { logo: png(size, size).toString('base64') });
    const { ok, status } = await fetch(`${origin}${data.logo.url}`);
    if (!ok) throw new Error(`A logo was answered with ${status}.`);
  }
  await ask('GET', '/v1/business');
  await ask('PATCH', '/v1/mail', { daily_summary: true });
  await ask('PATCH', '/v1/mail', { endpoints: false }, 'live');
  const checkout = { amount: 8_500, ...PAYER, provider: 'paystack' };
  const { data: opened } = await ask('POST', '/v1/checkout/initialize', checkout, 'live');
  const amount = Math.round(opened.amount_to_pay * 100);
  await stage.simulator.pay({ provider: 'paystack', accountNumber: opened.account_number, amount });
  await stage.simulator.settled();
  const invited = await ask('POST', '/v1/members', { email: DEVELOPER, role: 'viewer' });
  const chidi = invited.data.members[1].id;
  await ask('GET', '/v1/members');
  await ask('PATCH', `/v1/members/${chidi}`, { role: 'developer' });
  await browserOf(DEVELOPER, 2);
  await ask('POST', `/v1/members/${chidi}/reset-passkeys`);
  await ask('DELETE', `/v1/members/${chidi}`);
  await mailNotices();
  await leaveUnclosed(chidi);
  stage.clock.advance(MINUTE);
  await ask('GET', '/v1/audit-log');
  await browserOf(OWNER);
  const { data: sessions } = await ask('GET', '/sessions');
  await ask('DELETE', `/sessions/${sessions.find(({ current }: { current: boolean }) => !current).id}`);
  const passkeys = await add(createAuthenticator());
  await browserOf(OWNER);
  await ask('DELETE', `/passkeys/${passkeys[1].id}`);
  // Wait long enough for the session to be marked as used.
  stage.clock.advance(6 * MINUTE);
  await ask('GET', '/me');
  await ask('POST', '/sign-out');
  await mailSummaries(stage, mailNotices);
  const { status } = await (await browserOf(OWNER))('PATCH', '/v1/mail', { daily_summary: false });
  if (status !== 200) throw new Error(`The summary could not be switched off: ${status}.`);
  stage.clock.advance(DAY);
  await mailNotices();
};

/** Lets days pass, one of them with a payment, so that the owners get their daily summaries. */
const mailSummaries = async (stage: RecordedStage, mailNotices: () => Promise<unknown>): Promise<void> => {
  stage.clock.advance(2 * DAY);
  await mailNotices();
  stage.clock.advance(MINUTE);
  await mailNotices();
};

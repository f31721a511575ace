import { sessionRoutesOf } from '#infra/function-spec.ts';
import { FUNCTIONS } from '#infra/functions.ts';
import { MINUTE } from '#shared/domain/kernel/time.ts';
import type { RecordedStage } from './stage.ts';
import { customer, PAYER } from './steps.ts';

/** What each endpoint needs to be sent, by the end of its path. */
const BODIES: readonly (readonly [RegExp, unknown])[] = [
  [/\/virtual-accounts$/, { ...customer(), banks: ['paystack'] }],
  [/\/checkout\/initialize$/, { amount: 8_500.75, ...PAYER }],
  [/\/checkout\/sandbox\/simulate$/, { reference: 'PAY-0123456789ABCDEFGHIJ' }],
  [/\/virtual-accounts\/[^/]*\/sandbox\/simulate$/, { amount: 100 }],
  [/\/webhook-endpoints$/, { url: 'https://example.com/webhooks', events: ['*'] }],
  [/\/recover$/, { since: '2026-11-20T12:00:00Z' }],
  [/\/webhook-endpoints\/[^/]*$/, { enabled: false }],
];

/** Answers before the work: a scene that meets one proves nothing. */
const BEFORE_THE_WORK = [400, 401, 403, 415, 422, 429];

/** A member signs in, uses every endpoint of the API by the session, and what the dashboard alone has. */
export const dashboard = async (stage: RecordedStage): Promise<void> => {
  const call = await stage.signIn('Ada Stores Limited', 'ada@ada-stores.example.com');
  const ask = async (method: string, path: string, body?: unknown) => {
    const { status, json } = await call(method, path, body);
    if (!BEFORE_THE_WORK.includes(status) && status < 500) return json;
    throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(json)}`);
  };
  await ask('GET', '/me');
  for (const { trigger } of FUNCTIONS) {
    for (const route of sessionRoutesOf(trigger)) {
      const [method = '', path = ''] = route.split(' ');
      const query = path.endsWith('/totals') ? '?from=2026-11-20&to=2026-11-20' : '';
      const named = path.replace('/api/dashboard', '').replace(/\{\w+\}/, 'none') + query;
      const [, body = {}] = BODIES.find(([end]) => end.test(named)) ?? [];
      await ask(method, named, method === 'GET' || method === 'DELETE' ? undefined : body);
    }
  }
  const { data: created } = await ask('POST', '/v1/keys', { kind: 'secret' });
  await ask('GET', '/v1/keys');
  await ask('PATCH', `/v1/keys/${created.id}`, { ip_whitelist: ['102.89.23.17'] });
  const { data: rolled } = await ask('POST', `/v1/keys/${created.id}/roll`, { grace_seconds: 60 });
  await ask('POST', `/v1/keys/${rolled.id}/revoke`);
  await ask('GET', '/v1/audit-log');
  // Long enough for the session to be marked as in use.
  stage.clock.advance(6 * MINUTE);
  await ask('GET', '/me');
  await ask('POST', '/sign-out');
};

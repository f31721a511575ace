import { PROVIDERS } from '#shared/providers/domain/names.ts';
import type { RecordedStage } from './stage.ts';
import { expectStatus, makeIdempotencyHeaders, PAYER } from './steps.ts';

/* Checkouts that go to another provider: at their opening, and for a payer whose bank cannot find the account. */

const ORDER = { amount: 8_500, ...PAYER };
const JSON_WANTED = { accept: 'application/json' };

/** Requests another account in both modes: by API, again under the same Idempotency-Key, on the payment page, and while each other provider fails. */
export const playRouting = async (stage: RecordedStage): Promise<void> => {
  const openIn = await stage.openBusiness('Sade Books Limited', true);
  for (const mode of ['live', 'test'] as const) {
    const ask = expectStatus(openIn(mode));
    const move = (reference: string, status = 200, headers = makeIdempotencyHeaders()) =>
      ask(status, 'POST', `/checkouts/${reference}/another-account`, undefined, headers);
    const { data } = await ask(201, 'POST', '/checkout/initialize', ORDER);
    const headers = makeIdempotencyHeaders();
    await move(data.reference, 200, headers);
    await move(data.reference, 200, headers);
    const page = new URL(data.checkout_url).pathname;
    await stage.request('GET', page, {});
    await stage.request('GET', `${page}/status`, {});
    await stage.request('POST', `${page}/another-account`, JSON_WANTED);
    await stage.request('POST', `${page}/sent`, JSON_WANTED);
    await move(data.reference, 409);
  }
  const ask = expectStatus(openIn('live'));
  const opened = await Promise.all([1, 2].map(() => ask(201, 'POST', '/checkout/initialize', ORDER)));
  for (const provider of PROVIDERS) stage.simulator.fault(provider, { kind: 'gateway_fault', status: 502 });
  const [first, second] = opened.map(({ data }) => data);
  await ask(409, 'POST', `/checkouts/${first.reference}/another-account`);
  await stage.request('POST', `${new URL(second.checkout_url).pathname}/another-account`, JSON_WANTED);
  for (const provider of PROVIDERS) stage.simulator.fault(provider, null);
};

import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { Payments, unwrap, type WebhookError } from '#shared/client/index.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const secret = () => `whsec_${randomBytes(24).toString('base64')}`;
const [OURS, OLD, THEIRS] = [secret(), secret(), secret()];
const BODY = JSON.stringify({ id: 'evt_1', type: 'checkout.paid', data: { paid_amount: 8_500.75, payer: 'Adébáyọ̀' } });

/** Makes headers with the library of Standard Webhooks. */
const headersOf = (body: string, signedWith: readonly string[] = [OURS], at = NOW) => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(at / 1_000),
  'webhook-signature': signedWith
    .map((secretText) => new Webhook(secretText).sign('evt_1', new Date(at), body))
    .join(' '),
});
const at = (now: number) => ({ now: () => now });
const readError = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: WebhookError) => error.code,
  );

test('a webhook is read from text and bytes, with headers of any kind', async () => {
  const headers = headersOf(BODY);
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  for (const form of [headers, upper, new Headers(headers)]) {
    expect(await unwrap(BODY, form, OURS, at(NOW))).toEqual(JSON.parse(BODY));
    expect(await unwrap(Buffer.from(BODY), form, OURS, at(NOW))).toEqual(JSON.parse(BODY));
  }
  const event = await Payments.webhooks.unwrap(BODY, headers, OURS, at(NOW));
  // The compiler knows the data of this type of event.
  if (event.type === 'checkout.paid') expect(event.data.paid_amount).toBe(8_500.75);
});

test('a webhook is read during a rotation with either secret', async () => {
  const both = headersOf(BODY, [OURS, OLD]);
  for (const secrets of [OURS, OLD, [THEIRS, OLD]]) expect(await unwrap(BODY, both, secrets, at(NOW))).toBeDefined();
  expect(await readError(unwrap(BODY, both, [THEIRS], at(NOW)))).toBe('signature_mismatch');
});

test.each([
  ['another body', () => unwrap(`${BODY} `, headersOf(BODY), OURS, at(NOW)), 'signature_mismatch'],
  [
    'another id',
    () => unwrap(BODY, { ...headersOf(BODY), 'webhook-id': 'evt_2' }, OURS, at(NOW)),
    'signature_mismatch',
  ],
  [
    'another time',
    () => unwrap(BODY, { ...headersOf(BODY), 'webhook-timestamp': String(NOW / 1_000 + 1) }, OURS, at(NOW)),
    'signature_mismatch',
  ],
  ['a signature cut short', () => unwrap(BODY, cutSignature(headersOf(BODY)), OURS, at(NOW)), 'signature_mismatch'],
  [
    'a signature that is no base64',
    () => unwrap(BODY, { ...headersOf(BODY), 'webhook-signature': 'v1,%%%' }, OURS, at(NOW)),
    'signature_mismatch',
  ],
  [
    'another version of signature',
    () => unwrap(BODY, { ...headersOf(BODY), 'webhook-signature': 'v2,AAAA' }, OURS, at(NOW)),
    'signature_mismatch',
  ],
  ['an old time', () => unwrap(BODY, headersOf(BODY), OURS, at(NOW + 301_000)), 'timestamp_out_of_range'],
  ['a time in the future', () => unwrap(BODY, headersOf(BODY), OURS, at(NOW - 301_000)), 'timestamp_out_of_range'],
  [
    'a malformed time',
    () => unwrap(BODY, { ...headersOf(BODY), 'webhook-timestamp': 'noon' }, OURS, at(NOW)),
    'timestamp_out_of_range',
  ],
  ['no headers', () => unwrap(BODY, {}, OURS, at(NOW)), 'headers_missing'],
  ['a body that is no JSON', () => unwrap('paid', headersOf('paid'), OURS, at(NOW)), 'body_unreadable'],
])('the client refuses a webhook: %s', async (_, work, code) => {
  expect(await readError(work())).toBe(code);
});

test('a webhook is read if its time differs by just five minutes', async () => {
  for (const difference of [-300_000, 300_000])
    expect(await unwrap(BODY, headersOf(BODY), OURS, at(NOW + difference))).toBeDefined();
});

test('a missing or malformed secret is reported without showing it', async () => {
  await expect(unwrap(BODY, headersOf(BODY), undefined)).rejects.toThrow('There is no webhook secret.');
  await expect(unwrap(BODY, headersOf(BODY), 'whsec_%', at(NOW))).rejects.toThrow(
    'A webhook secret is whsec_ and a text in base64.',
  );
});

const cutSignature = (headers: ReturnType<typeof headersOf>) => ({
  ...headers,
  'webhook-signature': headers['webhook-signature'].slice(0, -8),
});

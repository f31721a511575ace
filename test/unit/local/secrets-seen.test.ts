import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findSecrets, watchSecrets } from '#test/support/hostile/secrets-seen.ts';

const LINE = { time: '2026-11-20T12:00:00.000Z', level: 'info', event: 'request_answered', status: 201 };
const writeLog = (fields: object): string => `${JSON.stringify({ ...LINE, ...fields })}\n`;
const CLEAN = `${writeLog({ request_id: 'req-1', business_id: 'biz_01KDVDNX1Q0Y8J6W6KZ0H3S5TA', route: 'POST /api/v1/checkout/initialize' })}12:00:00  POST /api/v1/virtual-accounts → 201 (8 ms)\n`;

describe('the search of logs', () => {
  const KEY = `sk_live_${'a1'.repeat(19)}`;
  const SECRET = `whsec_${'b'.repeat(43)}=`;
  const CREDENTIALS = { apiKey: 'MK_PROD_ADA', secretKey: 'ADASMONNIFYSECRET' };
  const [SESSION, SIGN_IN] = ['e'.repeat(43), 'f'.repeat(43)];
  const LINK = `PAY-7H2KQ9XW4M1ZB8T5RC3N.${'g'.repeat(22)}`;
  const REQUEST_BODY = {
    code: '04211790',
    customer_name: 'Adaeze "Ada" Okafor',
    customer_email: 'adaeze.okafor@example.com',
    customer_phone: '+2348031234567',
    bvn: '22345678901',
    metadata: { cart: [{ note: 'six yards' }], total: 850_075 },
  };
  const ANSWER_BODY = {
    code: 'wrong_code',
    data: { secret: SECRET, url: 'https://ada.example/hooks', accounts: [{ account_number: '3472356191' }] },
    checkout: { checkout_url: `https://api.example.com/pay/${LINK}` },
    publicKey: { challenge: 'a'.repeat(42), user: { email: 'bisi@ada-stores.example.com' } },
    mails: [{ text: 'Your code is 73190255.\n' }],
  };

  let watch: ReturnType<typeof watchSecrets>;
  beforeAll(async () => {
    const server = createServer((incoming, response) => {
      response.setHeader('set-cookie', [`__Host-session=${SESSION}; Path=/; HttpOnly`, '__Host-sign-in=; Max-Age=0']);
      incoming.resume().on('end', () => response.end(JSON.stringify(ANSWER_BODY)));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    watch = watchSecrets();
    watch.keep('a provider’s credentials', ...Object.values(CREDENTIALS));
    const cookie = `theme=dark; payments-sign-in=${SIGN_IN}`;
    const headers = { authorization: `Bearer ${KEY}`, 'idempotency-key': 'order-0042', cookie };
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(REQUEST_BODY) })).text();
    watch.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test('finds nothing in a log of ids, codes and times, nor in a metric', () => {
    const metric = JSON.stringify({
      _aws: { Timestamp: 1_795_176_000_000, CloudWatchMetrics: [{ Namespace: 'Payments' }] },
      delivery_lag: 12,
    });
    expect(findSecrets(`${CLEAN}${metric}\n`, watch.secrets())).toEqual([]);
  });

  test('ignores values that are declared as harmless, wherever they were seen', () => {
    const seen = watchSecrets();
    seen.ignore((value) => value === 'hasOwnProperty');
    seen.note(JSON.stringify({ sender_name: 'hasOwnProperty', payer_name: 'Adaeze Okafor' }));
    seen.noteHeaders(['idempotency-key', 'hasOwnProperty']);
    seen.stop();
    expect([...seen.secrets()]).toEqual([['Adaeze Okafor', 'a name']]);
  });

  test('does not take a field for a secret because its name is a property that every object has', () => {
    const seen = watchSecrets();
    seen.note(JSON.stringify({ constructor: 'Adaeze Okafor', sender_name: 'Ngozi Eze' }));
    seen.stop();
    expect([...seen.secrets()]).toEqual([['Ngozi Eze', 'a name']]);
  });

  test.each([
    ['an API key', KEY],
    ['an API key', KEY.slice('sk_live_'.length)],
    ['an Authorization header', `Bearer ${KEY}`],
    ['a webhook secret', SECRET],
    ['a webhook secret', SECRET.slice('whsec_'.length)],
    ['a webhook signature', `v1,${'c'.repeat(43)}=`],
    ['an access token', `eyJhbGciOiJIUzI1NiJ9.${'d'.repeat(43)}`],
    ['a provider’s credentials', CREDENTIALS.secretKey],
    ['an identity number', '22345678901'],
    ['a name', 'Adaeze "Ada" Okafor'],
    ['an e-mail address', 'adaeze.okafor@example.com'],
    ['an e-mail address', 'adaeze.okafor%40example.com'],
    ['a telephone number', '+2348031234567'],
    ['an account number', '3472356191'],
    ['metadata', 'six yards'],
    ['metadata', '850075'],
    ['a webhook URL', 'https://ada.example/hooks'],
    ['an Idempotency-Key', 'order-0042'],
    ['a code', '04211790'],
    ['a code', '73190255'],
    ['a cookie', SESSION],
    ['a cookie', SIGN_IN],
    ['a cookie', `__Host-session=${'h'.repeat(43)}`],
    ['a passkey’s challenge', 'a'.repeat(42)],
    ['a payer’s link', LINK],
    ['a payer’s link', 'g'.repeat(22)],
    ['an e-mail address', 'bisi@ada-stores.example.com'],
    ['a body', '{"amount": 100}'],
    ['a body', JSON.stringify(JSON.stringify({ amount: 100 }))],
    ['a body', '[{ "amount": 100 }]'],
  ])('finds %s, and says so without revealing it', (kind, secret) => {
    const found = findSecrets(CLEAN + writeLog({ fields: `failed at ${secret}` }), watch.secrets());
    expect(found).toContain(`${kind} in request_answered`);
    const inSentence = findSecrets(`${CLEAN}it failed at ${secret}\n`, watch.secrets());
    expect(inSentence).toContain(`${kind} in a line for people`);
    for (const reported of [found, inSentence]) expect(reported.join()).not.toContain(secret);
  });

  test('finds a body that was logged as it is', () => {
    expect(findSecrets(writeLog({ body: { amount: 100 } }), watch.secrets())).toEqual(['a body in request_answered']);
  });

  test('allows the path of a payment page in the lines that the local stack prints for people, but not in a log', () => {
    const path = `/pay/${LINK}`;
    expect(findSecrets(`12:00:00  POST ${path}/sent → 303 (8 ms)\n`, watch.secrets())).toEqual([]);
    expect(findSecrets(writeLog({ route: `POST ${path}/sent` }), watch.secrets())).toEqual([
      'a payer’s link in request_answered',
    ]);
  });

  test('does not take a longer number for an account number, or a part of an id for a code', () => {
    const fields = { milliseconds: 134_723_561_910, id: 'evt_042117AB', trace: '1-042117-af', code: 'wrong_code' };
    expect(findSecrets(writeLog(fields), watch.secrets())).toEqual([]);
  });
});

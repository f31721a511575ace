import { eventually, type Merchant, openBusiness } from '#test/support/worlds/merchant.ts';
import { openTarget, type Target } from '#test/support/worlds/stack.ts';

/* Tests the dashboard without a browser; test/long/dashboard.test.ts uses a browser. */

const EMAIL = 'adaeze.okafor@ada-stores.example.com';

describe('the dashboard', () => {
  let target: Target;
  let merchant: Merchant;
  let cookies: ReadonlyMap<string, string>;

  beforeAll(async () => {
    target = await openTarget();
    merchant = await openBusiness(target, 'Ada Stores Limited');
    await target.ops('member', 'invite', EMAIL, '--business', merchant.id, '--role', 'developer');
  });
  afterAll(() => target.stop());
  beforeEach(() => {
    cookies = new Map();
  });

  /** Sends a request as the dashboard's page does, with its cookies. */
  const ask = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${target.baseUrl}/api/dashboard${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        origin: target.origin,
        'sec-fetch-site': 'same-origin',
        cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
        'x-business-id': merchant.id,
        'x-dashboard-mode': 'test',
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const set = answer.headers.getSetCookie().map((line): [string, string] => {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      return [name, value];
    });
    cookies = new Map([...cookies, ...set]);
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the document holds, and fails where it does not.
    return { status: answer.status, json: (await answer.json()) as any };
  };

  const signIn = async (): Promise<void> => {
    const before = (await target.mails()).filter(({ to }) => to === EMAIL).length;
    expect((await ask('POST', '/sign-in', { email: EMAIL })).status).toBe(202);
    const code = await eventually('the code was mailed', async () => {
      const mails = (await target.mails()).filter(({ to }) => to === EMAIL);
      return mails.length > before ? /code is (\d{8})/.exec(mails[0]?.text ?? '')?.[1] : undefined;
    });
    expect((await ask('POST', '/sign-in/verify', { code })).status).toBe(200);
  };

  test('serves the same page under each of its paths, with a content security policy', async () => {
    const pages = await Promise.all(
      ['/dashboard', `/dashboard/${merchant.id}/test/payments?outcome=accepted`].map((path) =>
        fetch(`${target.baseUrl}${path}`),
      ),
    );
    const [first, second] = await Promise.all(pages.map((page) => page.text()));
    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
    expect(first).toBe(second);
    expect(first).toContain('<title>Payments dashboard</title>');
    expect(pages[0]?.headers.get('content-security-policy')).toContain("require-trusted-types-for 'script'");
  });

  test('shows the money of the business to a member who signed in with the mailed code', async () => {
    expect((await ask('GET', '/v1/payments')).json.code).toBe('sign_in_required');
    await signIn();
    const { reference } = (
      await merchant.api('POST', '/checkout/initialize', {
        body: { amount: 8_500.75, payer_email: 'tunde@example.com' },
      })
    ).json.data;
    await merchant.api('POST', '/checkout/sandbox/simulate', { body: { reference } });
    const payments = await eventually('the payment is listed', async () => {
      const { data } = (await ask('GET', '/v1/payments')).json;
      return data.length > 0 ? data : undefined;
    });
    expect(payments).toMatchObject([{ checkout_reference: reference, amount: 8_500.75 }]);
    const { me, keys, log } = {
      me: await ask('GET', '/me'),
      keys: await ask('GET', '/v1/keys'),
      log: await ask('GET', '/v1/audit-log'),
    };
    expect(me.json.data).toMatchObject({
      user: { email: EMAIL },
      businesses: [{ id: merchant.id, role: 'developer' }],
    });
    expect(keys.json.data.keys.length).toBeGreaterThan(0);
    expect(log.json.data).toEqual([]);
  });

  test('starts a checkout with created_with “dashboard” and a unique merchant_reference', async () => {
    await signIn();
    const body = { amount: 500, payer_email: 'tunde@example.com', merchant_reference: 'INV-0417' };
    const { status, json } = await ask('POST', '/v1/checkout/initialize', body);
    expect([status, json.data.created_with]).toEqual([201, 'dashboard']);
    const shown = await merchant.api('GET', `/checkout/verify/${json.data.reference}`);
    expect(shown.json.data).toMatchObject({ created_with: 'dashboard', merchant_reference: 'INV-0417' });
    const again = await merchant.api('POST', '/checkout/initialize', { body });
    expect([again.status, again.json.code]).toEqual([409, 'duplicate_merchant_reference']);
    expect(again.json.message).toContain(json.data.reference);
  });

  test('rejects changes in live mode without a passkey, requests of other sites, and requests for other businesses', async () => {
    await signIn();
    const stranger = await openBusiness(target, 'Somebody Else');
    const live = await ask('POST', '/v1/keys', { kind: 'secret' }, { 'x-dashboard-mode': 'live' });
    expect([live.status, live.json.code]).toEqual([403, 'step_up_required']);
    const theirs = await ask('GET', '/v1/payments', undefined, { 'x-business-id': stranger.id });
    expect(theirs.status).toBe(403);
    const foreign = await ask('GET', '/v1/payments', undefined, { 'sec-fetch-site': 'cross-site' });
    expect(foreign.status).toBe(403);
    expect((await ask('POST', '/sign-out')).status).toBe(200);
    expect((await ask('GET', '/v1/payments')).json.code).toBe('sign_in_required');
  });
});

import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { paid } from '#infra/openapi/examples/objects.ts';
import { parseDocument } from '#infra/openapi/page/parsed.ts';
import { type Sample, samplesOf } from '#infra/openapi/page/samples.ts';
import { SERVER_PLACEHOLDER } from '#infra/openapi/server-placeholder.ts';
import { quietPort } from '#test/support/engines/quiet-port.ts';
import { isInstalled } from '#test/support/worlds/installed.ts';
import { eventually, type Merchant, openBusiness } from '#test/support/worlds/merchant.ts';
import { type Stack, startStack } from '#test/support/worlds/stack.ts';

/* The programs of the guide and the samples of the page do what they say, on a running service. */

const run = promisify(execFile);
const LIMIT_MS = 60_000;

let stack: Stack;

describe('on a running service', () => {
  beforeAll(async () => {
    stack = await startStack();
  }, LIMIT_MS);
  afterAll(async () => {
    await stack?.stop();
  });

  const SHOPS = [
    ['Node', process.execPath, 'infra/openapi/guide/programs/shop.mjs'],
    ['Python', 'python3', 'infra/openapi/guide/programs/shop.py'],
  ] as const;
  // A machine without Python has nothing to run its shop with.
  const SHOPS_HERE = SHOPS.filter(([, command]) => command === process.execPath || isInstalled(command));

  describe.each(SHOPS_HERE)('the shop of the guide in %s', (language, command, file) => {
    let shop: ChildProcess;
    let merchant: Merchant;
    let url: string;
    let secret: string;
    let port: number;
    let printed = '';
    beforeAll(async () => {
      merchant = await openBusiness(stack, `Shop in ${language}`);
      port = await quietPort();
      url = `http://127.0.0.1:${port}`;
      const { json } = await merchant.api('POST', '/webhook-endpoints', { body: { url: `${url}/webhooks` } });
      secret = json.data.secret;
      const env = {
        ...process.env,
        PAYMENTS_URL: stack.baseUrl,
        PAYMENTS_KEY: merchant.secretTest.key,
        WEBHOOK_SECRET: secret,
        PORT: String(port),
      };
      shop = spawn(command, [file], { env, stdio: ['ignore', 'pipe', 'ignore'] });
      shop.stdout?.on('data', (chunk) => {
        printed += chunk;
      });
      await eventually('the shop listens', () => printed.includes('listening'));
    }, LIMIT_MS);
    afterAll(() => shop?.kill());

    const order = async (method: string) => {
      const response = await fetch(`${url}/orders/417`, { method });
      return (await response.json()) as { show: string; account_number?: string; overpaid?: number };
    };
    const latest = async (): Promise<string> => {
      const { json } = await merchant.api('GET', '/checkouts');
      expect(json.data[0].merchant_reference).toMatch(/^ORDER-[0-9a-f]{8}-417$/);
      return json.data[0].reference;
    };
    const pay = (body: object) => merchant.api('POST', '/checkout/sandbox/simulate', { body });

    test('shows an account, offers another after the expiry, and ships once however often it is told of money', async () => {
      const first = await order('POST');
      expect(first).toMatchObject({ show: 'pay', amount_to_pay: 8_500.75, account_number: expect.any(String) });
      // The button pressed again shows the same account.
      expect((await order('POST')).account_number).toBe(first.account_number);
      const expired = await eventually('the list has it', latest);
      await merchant.api('POST', `/checkouts/${expired}/expire`);
      expect(await order('GET')).toEqual({ show: 'expired, try again' });

      const second = await order('POST');
      expect(second.show).toBe('pay');
      expect(second.account_number).not.toBe(first.account_number);
      const reference = await eventually('the list has it', async () => {
        const found = await latest();
        return found === expired ? undefined : found;
      });
      await pay({ reference, amount: 500.25 });
      expect(await order('GET')).toMatchObject({ show: 'pay', amount_to_pay: 8_000.5 });
      await pay({ reference, amount: 8_100.5 });
      await eventually('the webhook ships it', () => printed.includes('ship order 417'));
      expect(await order('GET')).toEqual({ show: 'thanks', overpaid: 100 });
      // Somebody had paid the first account too: nothing is shipped for it, and a person is told once.
      await pay({ reference: expired });
      await eventually('its webhook has come', async () => {
        const { json } = await merchant.api('GET', '/events?type=checkout.paid&delivery_status=succeeded');
        return json.data.length === 2;
      });
      expect(printed.match(/ship order/g)).toHaveLength(1);
      await eventually('it is to be refunded', () => printed.includes(`refund 8500.75 naira of ${expired}: order 417`));
      expect(printed.match(/refund/g)).toHaveLength(1);
      // The payer's bank takes the newest transfer back after the order was shipped.
      await pay({ reference, outcome: 'reversed' });
      expect(await order('GET')).toEqual({ show: 'contact us' });
    });

    test('leads the payer to the payment page, keeps its reference, and tells the truth on the way back', async () => {
      await merchant.api('POST', '/webhook-endpoints', { body: { url: `${url}/webhooks` } });
      const page = await fetch(`${url}/orders/418/pay`, { method: 'POST', redirect: 'manual' });
      expect(page.status).toBe(303);
      const link = page.headers.get('location') ?? '';
      expect((await fetch(link)).status).toBe(200);
      // For the widget, the same checkout.
      const started = await fetch(`${url}/orders/418/checkout`, { method: 'POST' });
      expect(await started.json()).toEqual({ checkoutUrl: link });
      const reference = /PAY-[0-9A-Z]{20}/.exec(link)?.[0] ?? '';
      const { json } = await merchant.api('GET', `/checkout/verify/${reference}`);
      expect(json.data).toMatchObject({
        description: 'Order 418',
        callback_url: `${url}/orders/418`,
        cancel_url: `${url}/orders/418`,
      });
      // Anybody may write the address that a payer comes back to.
      const back = async () =>
        (await fetch(`${url}/orders/418?reference=${reference}&trxref=${reference}&status=paid`)).json();
      expect(await back()).toMatchObject({ show: 'pay' });
      await pay({ reference });
      expect(await back()).toMatchObject({ show: 'thanks' });
    });

    test('takes a webhook that the recipe signs in the shell, and no other', async () => {
      const script = await readFile('infra/openapi/guide/programs/sign.sh', 'utf8');
      const post = async (key: string): Promise<string> => {
        const env = { ...process.env, WEBHOOK_SECRET: key, PORT: String(port) };
        return (await run('sh', ['-c', script], { env })).stdout.trim();
      };
      expect([await post(secret), await post('whsec_bm90IHRoZSBzZWNyZXQ=')]).toEqual(['204', '400']);
    });
  });

  test.each(SHOPS_HERE)(
    'the shop of the guide in %s tries again with its key and body, and notices a paid checkout with less than the order',
    async (_, command, file) => {
      const tries: { key: string | undefined; body: string }[] = [];
      const data = { ...paid, paid_amount: 8_500 };
      const down = { status: false, code: 'service_unavailable', message: 'Not ready.', request_id: '4f1f7b0e' };
      const service = createServer(async (request, response) => {
        let body = '';
        for await (const chunk of request) body += chunk;
        const isOpening = request.method === 'POST';
        if (isOpening) tries.push({ key: String(request.headers['idempotency-key']), body });
        const isDown = isOpening && tries.length === 1;
        response.writeHead(isDown ? 503 : 200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(isDown ? down : { status: true, data }));
      });
      const [servicePort, port] = [await quietPort(), await quietPort()];
      await new Promise<void>((resolve) => service.listen(servicePort, '127.0.0.1', resolve));
      const env = {
        ...process.env,
        PAYMENTS_URL: `http://127.0.0.1:${servicePort}`,
        PAYMENTS_KEY: 'sk_test_0',
        WEBHOOK_SECRET: 'whsec_bm90IHRoZSBzZWNyZXQ=',
        PORT: String(port),
      };
      const shop = spawn(command, [file], { env, stdio: ['ignore', 'pipe', 'ignore'] });
      try {
        let printed = '';
        shop.stdout.on('data', (chunk) => {
          printed += chunk;
        });
        await eventually('the shop listens', () => printed.includes('listening'));
        const click = () => fetch(`http://127.0.0.1:${port}/orders/417`, { method: 'POST' });
        const refused = await click();
        const wrong = { show: 'Something went wrong on our side. Please try again in a minute.' };
        expect([refused.status, await refused.json()]).toEqual([502, wrong]);
        for (const _ of [1, 2]) expect(await (await click()).json()).toEqual({ show: 'contact us' });
        expect(tries).toHaveLength(2);
        expect(tries[1]).toEqual(tries[0]);
        expect(printed).toContain(
          'order 417: PAY-LCSVC1BGZHIB6M8LGHWN is paid with 8500 naira, less than the order costs',
        );
        expect(printed.match(/less than/g)).toHaveLength(1);
        expect(printed).not.toContain('ship order');
      } finally {
        shop.kill();
        service.close();
        service.closeAllConnections();
      }
    },
    LIMIT_MS,
  );

  const WALLETS = [
    ['Node', process.execPath, 'infra/openapi/guide/programs/wallet.mjs'],
    ['Python', 'python3', 'infra/openapi/guide/programs/wallet.py'],
  ] as const;
  const WALLETS_HERE = WALLETS.filter(([, command]) => command === process.execPath || isInstalled(command));

  test.each(WALLETS_HERE)(
    'the wallet of the guide in %s credits each payment once, and takes back what is reversed',
    async (language, command, file) => {
      const merchant = await openBusiness(stack, `Wallet in ${language}`);
      const port = await quietPort();
      const url = `http://127.0.0.1:${port}`;
      const { json } = await merchant.api('POST', '/webhook-endpoints', { body: { url: `${url}/webhooks` } });
      const created = await merchant.api('POST', '/virtual-accounts', {
        body: { customer_name: 'Adaeze Okafor', provider: 'monnify' },
      });
      const { id } = created.json.accounts[0];
      const env = {
        ...process.env,
        WEBHOOK_SECRET: json.data.secret,
        PORT: String(port),
        ACCOUNTS: JSON.stringify({ [id]: 'CUSTOMER-7' }),
      };
      const wallet = spawn(command, [file], { env, stdio: ['ignore', 'pipe', 'ignore'] });
      try {
        let printed = '';
        wallet.stdout.on('data', (chunk) => {
          printed += chunk;
        });
        await eventually('the wallet listens', () => printed.includes('listening'));
        const has = async (naira: number) => {
          const balance = (await (await fetch(`${url}/wallets/CUSTOMER-7`)).json()) as { naira: number };
          return balance.naira === naira;
        };
        const transfer = (body: object) => merchant.api('POST', `/virtual-accounts/${id}/sandbox/simulate`, { body });
        await transfer({ amount: 5_000.75 });
        await transfer({ amount: 19.99 });
        await eventually('both are credited', () => has(5_020.74));
        // The same payments again, as after a recovery.
        const { json: events } = await merchant.api('GET', '/events?type=virtual_account.payment_received');
        expect(events.data).toHaveLength(2);
        for (const event of events.data) await merchant.api('POST', `/events/${event.id}/redeliver`);
        await eventually('they were delivered again', async () => {
          const shown = await Promise.all(
            events.data.map((event: { id: string }) => merchant.api('GET', `/events/${event.id}`)),
          );
          return shown.every((one) => one.json.data.deliveries[0].status === 'succeeded');
        });
        expect(await has(5_020.74)).toBe(true);
        await transfer({ outcome: 'reversed' });
        await eventually('the newest is taken back', () => has(5_000.75));
        // What it knows nothing of is for a person, and is no failure of the endpoint.
        const type = 'virtual_account.payment_received';
        await merchant.api('POST', `/webhook-endpoints/${json.data.id}/test`, { body: { type } });
        const other = await merchant.api('POST', '/virtual-accounts', {
          body: { customer_name: 'Chidi Eze', provider: 'monnify' },
        });
        const of = other.json.accounts[0].id;
        await merchant.api('POST', `/virtual-accounts/${of}/sandbox/simulate`, { body: { amount: 700 } });
        await eventually('a person is told', () =>
          printed.includes(`700 naira on ${of}, which is no customer's account`),
        );
        expect(printed.match(/look into/g)).toHaveLength(1);
        await eventually('both have arrived', async () => {
          const { data } = (await merchant.api('GET', '/events?delivery_status=succeeded')).json;
          return data.length === 5 && data.some((event: { example?: boolean }) => event.example);
        });
        expect((await merchant.api('GET', `/webhook-endpoints/${json.data.id}`)).json.data.health.status).toBe(
          'healthy',
        );
      } finally {
        wallet.kill();
      }
    },
    LIMIT_MS,
  );

  const withPython = isInstalled('python3') ? test : test.skip;
  withPython('the nightly job of the guide finds what landed and what was taken back, page by page', async () => {
    const merchant = await openBusiness(stack, 'Nightly');
    const created = await merchant.api('POST', '/virtual-accounts', {
      body: { customer_name: 'Adaeze Okafor', provider: 'monnify' },
    });
    const { id } = created.json.accounts[0];
    const path = `/virtual-accounts/${id}/sandbox/simulate`;
    const landed = (await merchant.api('POST', path, { body: { amount: 5_000.75 } })).json.data;
    const returned = (await merchant.api('POST', path, { body: { amount: 700 } })).json.data;
    await merchant.api('POST', path, { body: { outcome: 'reversed' } });
    const started = await merchant.api('POST', '/checkout/initialize', {
      body: { amount: 20, payer_email: 'tunde.bakare@example.com', merchant_reference: 'ORDER-417' },
    });
    const { reference } = started.json.data;
    for (const body of [{ reference }, { reference, outcome: 'reversed' }]) {
      await merchant.api('POST', '/checkout/sandbox/simulate', { body });
    }
    const env = { ...process.env, PAYMENTS_URL: stack.baseUrl, PAYMENTS_KEY: merchant.secretTest.key };
    const period = [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
    const lines = await eventually('the lists have all', async () => {
      const { stdout } = await run('python3', ['infra/openapi/guide/programs/nightly.py', ...period], { env });
      const found = stdout.trim().split('\n');
      return found.length === 5 ? found : undefined;
    });
    expect(lines).toEqual([
      expect.stringMatching(/^pay_\S+ reversed 20 ORDER-417$/),
      `${returned.id} reversed 700 ${id}`,
      `${landed.id} accepted 5000.75 ${id}`,
      expect.stringMatching(/^pay_\S+ reversed 20 ORDER-417$/),
      `${returned.id} reversed 700 ${id}`,
    ]);
  });

  describe('the samples', () => {
    const hasRequests = spawnSync('python3', ['-c', 'import requests']).status === 0;
    const LANGUAGES = [
      ['curl', isInstalled('curl') && isInstalled('openssl'), 'sh', ['-c']],
      ['Node', true, process.execPath, ['--input-type=module', '-e']],
      ['Python', hasRequests, 'python3', ['-c']],
    ] as const;
    const { endpoints } = parseDocument();
    /** A sample as a reader pastes it: with the address of this service. */
    const pasted = (operationId: string, title: string): string => {
      const endpoint = endpoints.find((each) => each.operationId === operationId);
      const { code = '' } = (endpoint && samplesOf(endpoint).find((each: Sample) => each.title === title)) ?? {};
      return code.replaceAll(SERVER_PLACEHOLDER, stack.baseUrl);
    };

    // A machine without curl, or without Python and its requests, has nothing to run them with.
    const playable = LANGUAGES.map(
      ([title, isThere, command, args]) => [title, isThere ? test : test.skip, command, args] as const,
    );
    for (const [title, one, command, args] of playable)
      one(`start, pay, verify and list a checkout: ${title}`, async () => {
        const merchant = await openBusiness(stack, `Samples in ${title}`);
        const env = { ...process.env, PAYMENTS_KEY: merchant.secretTest.key };
        let reference = '';
        const sample = async (operationId: string): Promise<string> => {
          const real = pasted(operationId, title).replaceAll(/PAY-[0-9A-Z]{20}/g, reference);
          return (await run(command, [...args, real], { env })).stdout;
        };
        reference = /PAY-[0-9A-Z]{20}/.exec(await sample('initializeCheckout'))?.[0] ?? '';
        expect(await sample('simulateCheckoutPayment')).toContain(reference);
        expect(await sample('verifyCheckout')).toMatch(/paid['"]?: (true|True)|"paid":true/);
        expect(await eventually('the list has it', () => sample('listCheckouts'))).toContain('data');
      });

    for (const [title, one, command, args] of playable)
      one(`print status, code, message and each of the errors of a failure: ${title}`, async () => {
        const { secretTest } = await openBusiness(stack, `Failures in ${title}`);
        const env = { ...process.env, PAYMENTS_KEY: secretTest.key };
        const wrong = pasted('initializeCheckout', title)
          .replace('8500.75', '8500.755')
          .replace('tunde.bakare@example.com', 'nobody');
        // Its success is a file, its failure is JSON.
        const wrongFile = pasted('exportPayments', title).replace('/payments/export', '/payments/export?outcome=lost');
        for (const [code, ...fields] of [
          [wrong, 'amount', 'payer_email'],
          [wrongFile, 'outcome'],
        ] as const) {
          const { code: ended, stdout, stderr } = await run(command, [...args, code], { env }).catch((error) => error);
          expect(ended).toBeGreaterThan(0);
          const named = fields.map((name) => `${name} must`);
          for (const part of ['422', 'validation_failed', 'The given data was invalid.', ...named]) {
            expect(stdout + stderr).toContain(part);
          }
        }
      });
  });
});

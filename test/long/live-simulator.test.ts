import { spawnSync } from 'node:child_process';
import { readStackFile } from '#infra/local/data/stack-file.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import { call, eventually } from '#test/support/worlds/merchant.ts';
import { type Stack, startStack } from '#test/support/worlds/stack.ts';

describe('npm start -- --live-simulator', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ args: ['--live-simulator'], env: { ROUTING_ORDER: JSON.stringify(PROVIDERS) } });
  });
  afterAll(() => stack.stop());

  const findPrinted = (pattern: RegExp): string => {
    const match = pattern.exec(stack.output())?.[0];
    if (!match) throw new Error(`The local stack did not print ${pattern}.`);
    return match;
  };
  const live = (method: string, path: string, body?: unknown) =>
    call(stack, method, `/api/v1${path}`, { key: findPrinted(/sk_live_\w+/), ...(body !== undefined && { body }) });
  const transfer = async (accountNumber: string, amount: number) => {
    const body = JSON.stringify({ account_number: accountNumber, amount, sender_name: 'Chidi Eze' });
    const answer = await fetch(findPrinted(/http:\/\/127\.0\.0\.1:\d+\/pay/), { method: 'POST', body });
    return answer.json();
  };
  const awaitWebhook = (type: string, id: string) =>
    eventually(`the inbox shows ${type} for ${id}`, async () => {
      const { json } = await call(stack, 'GET', '/_local/inbox.json');
      return json.webhooks.find(
        (webhook: { type: string; body: string }) => webhook.type === type && webhook.body.includes(`"${id}"`),
      );
    });

  test.each(PROVIDERS)(
    'a checkout at %s is paid at the simulator, and its signed webhook is in the inbox',
    async (provider) => {
      const request = { amount: 8_500.75, payer_email: 'tunde.bakare@example.com', provider };
      const opened = await live('POST', '/checkout/initialize', request);
      expect(opened.status).toBe(201);
      const { reference, account_number: number, amount_to_pay: toPay } = opened.json.data;
      expect(await transfer(number, toPay)).toMatchObject({ kept: toPay, provider });
      const received = await awaitWebhook('checkout.paid', reference);
      expect(received).toMatchObject({ verified: true });
      expect(JSON.parse(received.body)).toMatchObject({ mode: 'live', data: { reference, paid_amount: 8_500.75 } });
      const verified = await live('GET', `/checkout/verify/${reference}`);
      expect(verified.json.data).toMatchObject({ status: 'paid', paid: true, paid_amount: 8_500.75, provider });
    },
    30_000,
  );

  test('a checkout of the demo business gets another account if ROUTING_ORDER is set, and paying both accounts puts an overpaid webhook in the inbox', async () => {
    const request = { amount: 8_500.75, payer_email: 'tunde.bakare@example.com' };
    const opened = (await live('POST', '/checkout/initialize', request)).json.data;
    const { reference } = opened;
    const moved = await live('POST', `/checkouts/${reference}/another-account`);
    expect([moved.status, opened.provider, moved.json.data.provider]).toEqual([200, ...PROVIDERS.slice(0, 2)]);
    for (const { provider, account_number, amount_to_pay } of moved.json.data.accounts) {
      expect(await transfer(account_number, amount_to_pay)).toMatchObject({ kept: amount_to_pay, provider });
    }
    await awaitWebhook('checkout.paid', reference);
    const { body } = await awaitWebhook('checkout.overpaid', reference);
    expect(JSON.parse(body).data).toMatchObject({ status: 'paid', difference: 8_500.75 });
  }, 30_000);

  test('the block of commands that npm start prints pays a checkout when it is pasted into a shell', async () => {
    const [, block = ''] = /^Paste this block to pay .*\n\n((?: {2}.*\n|\n)+)/m.exec(stack.output()) ?? [];
    const { stdout, stderr } = spawnSync('bash', ['-s'], { encoding: 'utf8', input: block });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/"status":"paid","paid":true/);
  });

  test('a virtual account receives any amount', async () => {
    const customer = {
      customer_name: 'Adaeze Okafor',
      customer_phone: '+2348031234567',
      customer_email: 'adaeze.okafor@example.com',
      bvn: '22212345678',
      nin: '12345678901',
    };
    const { status, json } = await live('POST', '/virtual-accounts', { ...customer, provider: 'korapay' });
    expect(status).toBe(201);
    const [{ id, account_number: number }] = json.accounts;
    await transfer(number, 1_250.5);
    const received = await awaitWebhook('virtual_account.payment_received', id);
    expect(JSON.parse(received.body).data.payment).toMatchObject({ amount: 1_250.5, outcome: 'accepted' });
    const payments = await live('GET', `/virtual-accounts/${id}/payments`);
    expect(payments.json.data).toHaveLength(1);
  });

  test('an operator assigns unmatched money on an account that somebody opened directly at the provider', async () => {
    const unknownPayee = 'customer-unknown-to-us';
    const { settings, credentials } = readStackFile(stack.dataDir)?.live ?? {};
    const { secretKey } = JSON.parse(credentials?.korapay ?? '{}');
    const opened = await fetch(`${settings?.korapay?.baseUrl}/virtual-bank-account`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}` },
      body: JSON.stringify({
        account_name: 'Adaeze Okafor',
        account_reference: unknownPayee,
        permanent: true,
        bank_code: '035',
        customer: { name: 'Adaeze Okafor' },
        kyc: { bvn: '22212345679', nin: '12345678902' },
      }),
    });
    const { data } = (await opened.json()) as { data: { account_number: string } };
    await transfer(data.account_number, 8_500.75);
    const ops = (...args: string[]) => {
      const env = { ...process.env, DATA_DIR: stack.dataDir, NODE_OPTIONS: '' };
      const { stdout, stderr } = spawnSync(process.execPath, ['infra/ops/main.ts', '--json', ...args], {
        encoding: 'utf8',
        env,
      });
      expect(stderr).toBe('');
      return JSON.parse(stdout);
    };
    const unmatched = await eventually('the unmatched money is listed', async () =>
      ops('unmatched', 'list').unmatched.find(({ payee }: { payee: string }) => payee === unknownPayee),
    );
    const request = { amount: 8_500.75, payer_email: 'tunde.bakare@example.com', provider: 'korapay' };
    const { reference } = (await live('POST', '/checkout/initialize', request)).json.data;
    expect(ops('unmatched', 'assign', unmatched.id, reference)).toMatchObject({ payment: { assigned_to: reference } });
    const verified = await live('GET', `/checkout/verify/${reference}`);
    expect(verified.json.data).toMatchObject({ status: 'paid', paid_amount: 8_500.75, sender_name: 'Chidi Eze' });
  }, 30_000);

  test('no identity number of a customer is in the data directory or the log', async () => {
    const numbers = ['-e', '22212345678', '-e', '12345678901'];
    const { stdout } = spawnSync('grep', ['-rac', ...numbers, stack.dataDir], { encoding: 'utf8' });
    const hits = stdout.split('\n').filter((line) => /:[1-9]\d*$/.test(line));
    expect(hits).toEqual([]);
  });
});

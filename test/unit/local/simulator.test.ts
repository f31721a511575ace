import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Simulator, startSimulator } from '#infra/local/simulator/simulator.ts';
import { type Receiver, startReceiver } from '#test/support/worlds/receiver.ts';

const NOON = Date.parse('2026-11-21T11:00:00Z');

/** Calls the simulated Korapay, which has the simplest shapes. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads any field, and fails if the answer lacks it.
const korapayCall = async (baseUrl: string, path: string, body?: unknown): Promise<any> => {
  const answer = await fetch(`${baseUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: 'Bearer sk_test_simulator_of_korapay' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return answer.json();
};

const openCharge = (baseUrl: string, reference: string, amount: number, notificationUrl?: string) =>
  korapayCall(baseUrl, '/charges/bank-transfer', {
    reference,
    ...(notificationUrl !== undefined && { notification_url: notificationUrl }),
    amount,
    currency: 'NGN',
    customer: { email: 'chidi.eze@example.com' },
    merchant_bears_cost: true,
  });

describe('the simulator', () => {
  let simulator: Simulator;
  let receiver: Receiver;
  beforeEach(async () => {
    [simulator, receiver] = [await startSimulator({ now: () => NOON }), await startReceiver()];
    simulator.notifyAt('korapay', receiver.url);
  });
  afterEach(async () => {
    await simulator.stop();
    await receiver.stop();
  });

  const payCharge = async (reference: string): Promise<string> => {
    await openCharge(simulator.baseUrls.korapay, reference, 5_000, receiver.url);
    const accountNumber = simulator.books.accounts().at(-1)?.number ?? '';
    return (await simulator.pay({ provider: 'korapay', accountNumber, amount: 500_000 })).transferId;
  };
  const references = (): unknown[] => receiver.received.map(({ body }) => JSON.parse(body).data.reference);

  test('sends one notification of a transfer, and another on request', async () => {
    const transferId = await payCharge('order-001');
    await simulator.settled();
    await simulator.resend(transferId);
    expect(references()).toEqual(['order-001', 'order-001']);
  });

  test('limits reads and writes separately, until the time in Retry-After', async () => {
    let now = NOON + 3_000;
    const limited = await startSimulator({ now: () => now, limits: { writes: { calls: 2, seconds: 10 } } });
    const call = async (path: string, init: RequestInit = {}): Promise<string> => {
      const headers = { authorization: 'Bearer sk_test_simulator_of_korapay' };
      const answer = await fetch(`${limited.baseUrls.korapay}${path}`, { headers, ...init });
      return `${answer.status} ${answer.headers.get('retry-after')}`;
    };
    const write = () => call('/charges/bank-transfer', { method: 'POST', body: '{}' });
    expect([await write(), await write(), await write()]).toEqual(['400 null', '400 null', '429 7']);
    for (let reads = 0; reads < 3; reads++) expect(await call('/charges/order-001')).toBe('404 null');
    expect(limited.books.limited('korapay')).toBe(1);
    now += 7_000;
    expect(await write()).toBe('400 null');
    await limited.stop();
  });

  test('loses, doubles and reorders notifications, and is settled when all are sent', async () => {
    simulator.fault('korapay', { kind: 'lost', times: 1 });
    await payCharge('order-lost');
    simulator.fault('korapay', { kind: 'duplicated', times: 1 });
    await payCharge('order-twice');
    await simulator.settled();
    simulator.fault('korapay', { kind: 'reordered', times: 1 });
    await payCharge('order-first');
    await payCharge('order-second');
    await simulator.settled();
    simulator.fault('korapay', { kind: 'delayed', ms: 20, times: 1 });
    await payCharge('order-late');
    await simulator.settled();
    expect(references()).toEqual(['order-twice', 'order-twice', 'order-second', 'order-first', 'order-late']);
  });

  test('applies faults only to their share, paths and number of calls', async () => {
    simulator.fault('korapay', { kind: 'server_fault', path: /^\/charges\/bank-transfer$/, times: 1 });
    simulator.fault('korapay', {
      kind: 'rate_limited',
      path: /^\/charges\/order/,
      probability: 0.5,
      random: () => 0.7,
    });
    expect(await korapayCall(simulator.baseUrls.korapay, '/charges/order-001')).toMatchObject({
      message: 'Charge not found',
    });
    expect(await openCharge(simulator.baseUrls.korapay, 'order-001', 5_000)).toMatchObject({ status: false });
    expect(await openCharge(simulator.baseUrls.korapay, 'order-001', 5_000)).toMatchObject({ status: true });
    expect(simulator.books.requests('korapay')).toBe(3);
  });

  test('records how much money moved and how much was kept', async () => {
    const transferId = await payCharge('order-001');
    const accountNumber = simulator.books.accounts()[0]?.number ?? '';
    expect((await simulator.pay({ provider: 'korapay', accountNumber, amount: 1_000 })).keptAmount).toBe(0);
    expect([simulator.books.totalMoved(), simulator.books.totalKept(), simulator.books.keptFor('order-001')]).toEqual([
      501_000, 500_000, 500_000,
    ]);
    await simulator.reverse('korapay', transferId);
    expect([simulator.books.totalMoved(), simulator.books.totalKept(), simulator.books.keptFor('order-001')]).toEqual([
      501_000, 0, 0,
    ]);
  });

  test('shows the excess of the last transfer as returned', async () => {
    await openCharge(simulator.baseUrls.korapay, 'order-001', 5_000);
    const to = { provider: 'korapay', accountNumber: simulator.books.accounts()[0]?.number ?? '' } as const;
    await simulator.pay({ ...to, amount: 400_000 });
    simulator.prefer('korapay', { over: 'accept_all' });
    const { transferId } = await simulator.pay({ ...to, amount: 600_000 });
    await simulator.returnExcess(transferId, 'success');
    const { data } = await korapayCall(simulator.baseUrls.korapay, '/charges/order-001');
    expect(data.bank_transfer.reversal).toMatchObject({ status: 'success', amount: '1000.00' });
    await simulator.reverse('korapay', transferId);
    await expect(simulator.returnExcess(transferId, 'success')).rejects.toThrow(
      'All of this transfer was returned already.',
    );
  });

  test('bounces a transfer to an unknown number or to a number of another provider', async () => {
    await payCharge('order-001');
    const accountNumber = simulator.books.accounts()[0]?.number ?? '';
    for (const wrong of [{ accountNumber: '0123456789' }, { accountNumber, provider: 'monnify' as const }]) {
      await expect(simulator.pay({ provider: 'korapay', amount: 5_000, ...wrong })).rejects.toThrow('bounced');
    }
  });
});

describe('the simulator as a process', () => {
  let child: ChildProcess;
  const start = async (): Promise<{ settings: Record<string, { baseUrl: string; contractCode?: string }> }> => {
    child = spawn(process.execPath, ['infra/local/simulator/main.ts'], {
      env: { SIMULATOR_PORT: '0', NOTIFY_BASE_URL: 'http://127.0.0.1:9' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    if (!child.stdout) throw new Error('The simulator has no output.');
    const [line] = await once(createInterface(child.stdout), 'line');
    return JSON.parse(line);
  };
  afterEach(() => child.kill('SIGKILL'));

  test('takes transfers from people, and ends when its standard input closes', async () => {
    const { settings } = await start();
    expect(settings.monnify?.contractCode).toMatch(/^\d+$/);
    const korapayUrl = settings.korapay?.baseUrl ?? '';
    const { origin } = new URL(korapayUrl);
    const pay = async (body: unknown) => {
      const answer = await fetch(`${origin}/pay`, { method: 'POST', body: JSON.stringify(body) });
      return { status: answer.status, json: await answer.json() };
    };
    expect(await (await fetch(origin)).text()).toContain('POST /pay');
    const opened = await openCharge(korapayUrl, 'order-001', 8_500.75);
    const number = opened.data.bank_account.account_number;
    expect(await pay({ account_number: number, amount: 8500.75 })).toMatchObject({
      status: 200,
      json: { kept: 8500.75, sent_back: 0, provider: 'korapay' },
    });
    expect(await pay({ account_number: '7799999999', amount: 8500.75 })).toMatchObject({ status: 404 });
    expect(await pay({ account_number: number, amount: 0.001 })).toMatchObject({ status: 400 });
    const form = await fetch(`${origin}/pay?account_number=${number}&amount=%22%3E%3Cb%3E`);
    expect(form.headers.get('content-security-policy')).toContain("form-action 'self'");
    const formPage = await form.text();
    expect(formPage).toContain(`name="account_number" value="${number}"`);
    expect(formPage).toContain('value="&quot;&gt;&lt;b&gt;"');
    const next = (await openCharge(korapayUrl, 'order-002', 1_250.5)).data.bank_account.account_number;
    const payInBrowser = async (fields: Record<string, string>, senderOrigin = origin) => {
      const headers = {
        origin: senderOrigin,
        'sec-fetch-site': senderOrigin === origin ? 'same-origin' : 'cross-site',
      };
      const answer = await fetch(`${origin}/pay`, { method: 'POST', headers, body: new URLSearchParams(fields) });
      return { status: answer.status, text: await answer.text() };
    };
    const fields = { account_number: ` ${next} `, amount: '1250.50', sender_name: '', sender_bank: 'GTBank' };
    expect(
      (await (await fetch(`${origin}/pay`)).text()).includes(`/pay?account_number=${next}&amp;amount=1250.50`),
    ).toBe(true);
    const wrong = await payInBrowser({ ...fields, amount: 'much' });
    expect([wrong.status, wrong.text.includes('value="GTBank"')]).toEqual([400, true]);
    expect(await payInBrowser({ ...fields, account_number: '7799999999' })).toMatchObject({ status: 404 });
    expect(await payInBrowser(fields, 'https://evil.example')).toMatchObject({ status: 403 });
    const paid = await payInBrowser(fields);
    expect([paid.status, paid.text.includes('korapay keeps ₦1250.50.')]).toEqual([200, true]);
    const ended = once(child, 'exit');
    child.stdin?.end();
    expect(await ended).toEqual([0, null]);
  });

  test('ends on SIGTERM', async () => {
    await start();
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
});

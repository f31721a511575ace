import { ulid } from 'ulid';
import { type Fault, type Simulator, startSimulator } from '#infra/local/simulator/simulator.ts';
import { type Kobo, kobo } from '#shared/platform/kernel/money.ts';
import { HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { runtime } from '#shared/platform/runtime.ts';
import { sharedBreaker } from '#shared/providers/common/breaker.ts';
import { guardHttp } from '#shared/providers/common/guard.ts';
import { type ProviderHttpOptions, providerHttp } from '#shared/providers/common/http.ts';
import { listAttemptReferences } from '#shared/providers/domain/attempt-reference.ts';
import type { Customer, ProviderName } from '#shared/providers/domain/provider.ts';
import {
  type PaymentQuery,
  type PaymentReport,
  type ReportedMoney,
  toSingleSource,
} from '#shared/providers/domain/report.ts';
import { korapay } from '#shared/providers/korapay/korapay.ts';
import { monnify } from '#shared/providers/monnify/monnify.ts';
import { paystack } from '#shared/providers/paystack/paystack.ts';
import type { IssuedPaymentAccount, ProviderAdapter, ReportPage } from '#shared/providers/ports.ts';
import { REGISTRY } from '#shared/providers/registry.ts';
import { SIMULATORS } from '#shared/providers/simulators.ts';
import { readPosition } from '#test/support/emulators/position.ts';
import { describeRows, longTest } from '#test/support/jest/long.ts';
import { createMemoryBreakers } from '#test/support/worlds/breaker-memory.ts';
import { type Receiver, startReceiver } from '#test/support/worlds/receiver.ts';

const MORNING = Date.parse('2026-11-21T09:30:00Z');
const AMOUNT = kobo.parse(850_075);
const customerEmailDomain = 'accounts.example.com';
/** Time limits that no answer of the simulator exceeds, even on a slow machine. */
const PATIENT = { connectMs: 20_000, answerMs: 20_000 };

let clock = MORNING;
const now = (): number => clock;
let simulator: Simulator;
/** The stage's notification address. An adapter that is created later sends it with each payment that takes an address. */
let notifiedAt: string | null = null;
const notifyAt = (name: ProviderName, url: string): void => {
  notifiedAt = url;
  simulator.notifyAt(name, url);
};

interface Options {
  readonly http?: Pick<ProviderHttpOptions, 'connectMs' | 'answerMs'>;
  /** True if our secret was rotated and the provider still uses the previous one. */
  readonly rotated?: boolean;
}

/** Creates the adapter of a provider, connected to the simulator. */
const connectAdapter = (name: ProviderName, { http: timing = {}, rotated = false }: Options = {}): ProviderAdapter => {
  const breaker = sharedBreaker({
    provider: name,
    calls: 'look_ups',
    store: createMemoryBreakers(),
    now,
    log: () => {},
    metrics: () => {},
  });
  const http = guardHttp(providerHttp({ baseUrl: simulator.baseUrls[name], now, ...PATIENT, ...timing }), breaker, {
    now,
    wait: runtime.wait,
  });
  const simulated = simulator.credentials;
  const rotate =
    <C extends { readonly secretKey: string }>(credentials: C) =>
    async () =>
      rotated
        ? { ...credentials, secretKey: 'a-new-secret', previousSecretKey: credentials.secretKey }
        : { ...credentials };
  const base = { http, now };
  switch (name) {
    case 'paystack':
      return paystack({
        ...base,
        settings: REGISTRY.paystack.settings.parse({ baseUrl: simulator.baseUrls.paystack, customerEmailDomain }),
        credentials: rotate(simulated.paystack),
      });
    case 'monnify':
      return monnify({
        ...base,
        settings: REGISTRY.monnify.settings.parse({
          baseUrl: simulator.baseUrls.monnify,
          contractCode: SIMULATORS.monnify.settings.contractCode,
        }),
        credentials: rotate(simulated.monnify),
      });
    case 'korapay':
      return korapay({
        ...base,
        settings: REGISTRY.korapay.settings.parse({ baseUrl: simulator.baseUrls.korapay }),
        notificationUrl: notifiedAt,
        credentials: rotate(simulated.korapay),
      });
  }
};

let people = 0;
const newCustomer = (): Customer => {
  people += 1;
  const digits = String(22_100_000_000 + people);
  return {
    name: 'Ada Ngozi Obi',
    phone: '+2348030000001',
    email: `ada.obi.${people}@example.com`,
    bvn: digits,
    nin: digits.replace(/^22/, '33'),
  };
};
const newAccountReference = (): string => `va_${ulid()}`;
const newReference = (): string => `PAY-${ulid().slice(-20)}`;
const order = (reference: string, amount: Kobo = AMOUNT) => ({
  reference,
  amount,
  accountName: 'Balogun Fabrics',
  payerName: 'Chidi Eze',
  payerEmail: 'chidi.eze@example.com',
  expiresAt: clock + 30 * MINUTE,
});

/** Sums the kobo that the provider keeps according to a report. */
const sumKept = (report: PaymentReport | 'unknown'): number =>
  report === 'unknown' ? 0 : report.money.reduce((sum, money) => sum + readPosition(money).kept, 0);
/** Sums the kobo that the provider has returned according to a report. */
const sumReturned = (report: PaymentReport | 'unknown'): number =>
  report === 'unknown' ? 0 : report.money.reduce((sum, money) => sum + readPosition(money).returned, 0);
/** Finds the origin of the first payment of reported money. */
const findOrigin = (money: ReportedMoney) =>
  money.kind === 'cumulative_report'
    ? { kind: 'part', reference: money.payee.reference, reached: money.kept, falls: 0 }
    : toSingleSource(money);
const byOurReference = (value: string): PaymentQuery => ({ by: 'our_reference', value });
const lookUpKept = async (provider: ProviderAdapter, query: PaymentQuery): Promise<number> =>
  sumKept(await provider.lookUp(query));
/** Sums the kobo that count for a checkout: the money under all its references at the provider. */
const lookUpAllKept = async (provider: ProviderAdapter, reference: string): Promise<number> => {
  let sum = 0;
  for (const attempt of listAttemptReferences(reference)) sum += await lookUpKept(provider, byOurReference(attempt));
  return sum;
};
/** Sums the kobo that the simulator keeps for a checkout. */
const sumSimulated = (reference: string): number =>
  listAttemptReferences(reference).reduce((sum, attempt) => sum + simulator.books.keptFor(attempt), 0);

/** The paths of the calls that open accounts. */
const OPENING: Record<ProviderName, { readonly account: RegExp; readonly payment: readonly RegExp[] }> = {
  paystack: { account: /^\/dedicated_account$/, payment: [/^\/charge$/] },
  monnify: { account: /reserved-accounts$/, payment: [/init-transaction$/, /init-payment$/] },
  korapay: { account: /^\/virtual-bank-account$/, payment: [/^\/charges\/bank-transfer$/] },
};
const OUTCOME_UNKNOWN = { name: 'OutcomeUnknown' };
const BUSY = { name: 'ProviderBusy' };
const UNAVAILABLE = { name: 'ProviderUnavailable' };

beforeEach(async () => {
  clock = MORNING;
  notifiedAt = null;
  simulator = await startSimulator({ now });
});
afterEach(() => simulator.stop());

const SMALL_LETTERS = 'monnify, in small letters';

/** Each provider, and variants of it: its documents leave some points open, and a variant simulates other answers to them. */
const VARIANTS: readonly { readonly as: string; readonly name: ProviderName; readonly chooseReadings?: () => void }[] =
  [
    { as: 'paystack', name: 'paystack' },
    {
      as: 'paystack, with other readings',
      name: 'paystack',
      chooseReadings: () =>
        simulator.prefer('paystack', { unknownReference: 404, pageSize: 'per_page', countsPages: false }),
    },
    { as: 'monnify', name: 'monnify' },
    {
      as: 'monnify, with other readings',
      name: 'monnify',
      chooseReadings: () => simulator.prefer('monnify', { rows: 'paid', bankCodes: 'number' }),
    },
    {
      as: SMALL_LETTERS,
      name: 'monnify',
      chooseReadings: () => simulator.prefer('monnify', { references: 'small_letters' }),
    },
    { as: 'korapay', name: 'korapay' },
    ...(['merchants', 'korapays_first', 'korapays'] as const).map((order) => ({
      as: `korapay, with the reference order ${order}`,
      name: 'korapay' as const,
      chooseReadings: () =>
        simulator.prefer('korapay', {
          reversalBy: 'amounts',
          listReferences: order,
          notificationReferences: order,
          lookUpReferences: order,
        }),
    })),
  ];

const isQuick = ({ as, name }: (typeof VARIANTS)[number]): boolean =>
  as === name || as.endsWith('reference order korapays');

describeRows('$as', VARIANTS, isQuick, ({ as, name, chooseReadings }) => {
  beforeEach(() => chooseReadings?.());
  const pay = (accountNumber: string, amount: number, more: Partial<Parameters<Simulator['pay']>[0]> = {}) =>
    simulator.pay({ provider: name, accountNumber, amount, senderName: 'Chidi Eze', ...more });
  const listOpen = (kind: 'static' | 'payment') =>
    simulator.books.accounts().filter((account) => account.provider === name && account.kind === kind && account.open);

  describe('a virtual account', () => {
    test('a repeated request returns the same account, and findAccount finds it', async () => {
      const [provider, person, reference] = [connectAdapter(name), newCustomer(), newAccountReference()];
      const account = await provider.createAccount(person, reference);
      expect(listOpen('static').map(({ number }) => number)).toEqual([account.accountNumber]);
      expect(account.bankName).not.toBe('');
      expect(await provider.createAccount(person, reference)).toEqual(account);
      expect(await connectAdapter(name).findAccount(person, reference)).toEqual(account);
      expect(listOpen('static')).toHaveLength(1);
    });

    test('findAccount returns undefined for an account that was never opened', async () => {
      expect(await connectAdapter(name).findAccount(newCustomer(), newAccountReference())).toBeUndefined();
    });

    test('an account is found after the answer to its creation was lost', async () => {
      const [provider, person, reference] = [connectAdapter(name), newCustomer(), newAccountReference()];
      simulator.fault(name, { kind: 'lost_answer', times: 1, path: OPENING[name].account });
      // Paystack's list of accounts has the same path as their creation, so the list's answer may be the lost one.
      await expect(provider.createAccount(person, reference)).rejects.toMatchObject(OUTCOME_UNKNOWN);
      const account = await provider.createAccount(person, reference);
      expect(await provider.findAccount(person, reference)).toEqual(account);
      expect(listOpen('static').map(({ number }) => number)).toEqual([account.accountNumber]);
    });

    test('an account can be closed twice', async () => {
      const [provider, reference] = [connectAdapter(name), newAccountReference()];
      const account = await provider.createAccount(newCustomer(), reference);
      await provider.closeAccount(account, reference);
      await provider.closeAccount(account, reference);
      // Korapay closes accounts only by e-mail, so money still arrives there.
      if (name === 'korapay') expect((await pay(account.accountNumber, 5_000)).keptAmount).toBe(5_000);
      else await expect(pay(account.accountNumber, 5_000)).rejects.toThrow('closed');
    });

    test('an account takes any amount, and its owner is reported', async () => {
      const [provider, reference] = [connectAdapter(name), newAccountReference()];
      const receiver = await startReceiver();
      simulator.notifyAt(name, receiver.url);
      const { accountNumber } = await provider.createAccount(newCustomer(), reference);
      await pay(accountNumber, 123_456);
      await pay(accountNumber, 7_001, { senderName: 'Funke Adeyemi' });
      await simulator.settled();
      await receiver.stop();
      const reports: (PaymentReport | 'unknown')[] = [];
      for (const { body } of receiver.received) {
        for (const query of provider.read(Buffer.from(body)).queries) reports.push(await provider.lookUp(query));
      }
      const money = reports.flatMap((report) => (report === 'unknown' ? [] : report.money));
      expect(money).toMatchObject([
        { amount: 123_456, outcome: 'accepted', kind: 'transfer' },
        { amount: 7_001, outcome: 'accepted', kind: 'transfer' },
      ]);
      for (const { payee } of money) {
        expect([
          { by: 'account_number', accountNumber },
          { by: 'our_reference', reference },
        ]).toContainEqual(payee);
      }
      expect(reports.map((report) => report !== 'unknown' && report.state)).toEqual(['open', 'open']);
    });
  });

  describe('a payment account', () => {
    test('an account has the amount to pay and the provider’s expiry', async () => {
      const issued = await connectAdapter(name).createPaymentAccount(order(newReference()));
      const [account] = listOpen('payment');
      expect(issued.amountToPay).toBe(AMOUNT);
      expect(issued.account.accountNumber).toBe(account?.number);
      expect(issued.providerReference).toBe(account?.reference);
      expect(issued.expiresAt).toBe(account?.expiresAt);
      expect(issued.expiresAt - clock).toBe((name === 'monnify' ? 40 : 30) * MINUTE);
    });

    test.each([
      ['five minutes', 5 * MINUTE, { paystack: 15 * MINUTE, monnify: 40 * MINUTE, korapay: 30 * MINUTE }],
      ['a day', 24 * HOUR, { paystack: 8 * HOUR, monnify: 40 * MINUTE, korapay: 30 * MINUTE }],
    ])('an account has the provider’s expiry if the request asks for %s', async (_, requested, expected) => {
      const issued = await connectAdapter(name).createPaymentAccount({
        ...order(newReference()),
        expiresAt: clock + requested,
      });
      expect(issued.expiresAt - clock).toBe(expected[name]);
    });

    test.each(OPENING[name].payment)('a retry works after the answer of %s was lost', async (path) => {
      const [provider, reference] = [connectAdapter(name), newReference()];
      simulator.fault(name, { kind: 'lost_answer', times: 1, path });
      await expect(provider.createPaymentAccount(order(reference))).rejects.toMatchObject(OUTCOME_UNKNOWN);
      const issued = await provider.createPaymentAccount(order(reference));
      expect(listAttemptReferences(reference)).toContain(issued.providerReference);
      expect((await pay(issued.account.accountNumber, issued.amountToPay)).keptAmount).toBe(AMOUNT);
      expect(await lookUpAllKept(provider, reference)).toBe(AMOUNT);
    });

    test('a payment is unknown before its account was opened', async () => {
      expect(await connectAdapter(name).lookUp(byOurReference(newReference()))).toBe('unknown');
      expect(await connectAdapter(name).lookUp({ by: 'transaction', value: '9999999999' })).toBe('unknown');
    });

    test('a payment is open before it is paid, and credited in full afterwards', async () => {
      const [provider, reference] = [connectAdapter(name), newReference()];
      const issued = await provider.createPaymentAccount(order(reference));
      expect(await provider.lookUp(byOurReference(issued.providerReference))).toEqual({ money: [], state: 'open' });
      clock += 5 * MINUTE;
      await pay(issued.account.accountNumber, issued.amountToPay);
      const report = await provider.lookUp(byOurReference(issued.providerReference));
      expect(sumKept(report)).toBe(AMOUNT);
      expect(report).toMatchObject({
        state: 'complete',
        money: [
          {
            payee: { by: 'our_reference', reference },
            senderName: 'Chidi Eze',
            // Korapay’s look-up has no time of payment (providers.md section 3.4).
            paidAt: name === 'korapay' ? null : clock,
          },
        ],
      });
    });

    test('an account takes no late money', async () => {
      const [provider, reference] = [connectAdapter(name), newReference()];
      const { account } = await provider.createPaymentAccount(order(reference));
      clock += 9 * HOUR;
      expect((await pay(account.accountNumber, AMOUNT)).keptAmount).toBe(0);
      expect(await lookUpAllKept(provider, reference)).toBe(0);
    });

    test('money for a reused number counts only for its current payment', async () => {
      await simulator.stop();
      simulator = await startSimulator({ now, recycleNumbers: true });
      const [provider, first, second] = [connectAdapter(name), newReference(), newReference()];
      const before = await provider.createPaymentAccount(order(first));
      clock += 9 * HOUR;
      const after = await provider.createPaymentAccount(order(second));
      expect(after.account.accountNumber).toBe(before.account.accountNumber);
      await pay(before.account.accountNumber, AMOUNT);
      expect([await lookUpAllKept(provider, first), await lookUpAllKept(provider, second)]).toEqual([0, AMOUNT]);
    });
  });

  describe('a wrong amount', () => {
    const PREFERENCES: Record<ProviderName, readonly (readonly [string, () => void])[]> = {
      paystack: [['always rejected', () => {}]],
      monnify: [
        ['rejected', () => simulator.prefer('monnify', { wrongAmounts: 'reject' })],
        ['accepted', () => simulator.prefer('monnify', { wrongAmounts: 'accept' })],
      ],
      korapay: [
        ['by default', () => simulator.prefer('korapay', {})],
        ['returned', () => simulator.prefer('korapay', { over: 'return_all', under: 'return_all' })],
        ['accepted', () => simulator.prefer('korapay', { over: 'accept_all', under: 'accept_all' })],
      ],
    };
    const CASES = PREFERENCES[name].flatMap(([how, prefer]) =>
      [AMOUNT - 50_000, AMOUNT + 50_000].map((sent) => ({ how, prefer, sent })),
    );

    test.each(CASES)('the kept part of $sent counts, $how', async ({ prefer, sent }) => {
      prefer();
      const [provider, reference] = [connectAdapter(name), newReference()];
      const { account } = await provider.createPaymentAccount(order(reference));
      const { keptAmount } = await pay(account.accountNumber, sent);
      expect(await lookUpAllKept(provider, reference)).toBe(keptAmount);
      const more = await pay(account.accountNumber, AMOUNT);
      expect(await lookUpAllKept(provider, reference)).toBe(keptAmount + more.keptAmount);
      expect(sumSimulated(reference)).toBe(keptAmount + more.keptAmount);
    });

    test.each(CASES)('the returned part of $sent is reported, $how', async ({ prefer, sent }) => {
      prefer();
      const receiver = await startReceiver();
      notifyAt(name, receiver.url);
      const [provider, reference] = [connectAdapter(name), newReference()];
      const { account } = await provider.createPaymentAccount(order(reference));
      const { keptAmount } = await pay(account.accountNumber, sent);
      await simulator.settled();
      await receiver.stop();
      const notices = receiver.received.map(({ body }) => provider.read(Buffer.from(body)));
      // Korapay does not notify of a transfer that it returned in full. Its look-up shows it.
      const queries = name === 'korapay' ? [byOurReference(reference)] : notices.flatMap((notice) => notice.queries);
      const reports = await Promise.all(queries.map((query) => provider.lookUp(query)));
      const money = [
        ...notices.flatMap(({ rejected }) => rejected),
        ...reports.flatMap((report) => (report === 'unknown' ? [] : report.money)),
      ];
      const positions = money.map(readPosition);
      const sumUp = (field: 'kept' | 'returned'): number =>
        positions.reduce((sum, position) => sum + position[field], 0);
      expect({ kept: sumUp('kept'), returned: sumUp('returned') }).toEqual({
        kept: keptAmount,
        returned: sent - keptAmount,
      });
      for (const { payee } of money) expect(payee).toEqual({ by: 'our_reference', reference });
    });
  });

  test('money that is returned later no longer counts', async () => {
    const [provider, reference] = [connectAdapter(name), newReference()];
    const { account } = await provider.createPaymentAccount(order(reference));
    const { transferId } = await pay(account.accountNumber, AMOUNT);
    expect(await lookUpAllKept(provider, reference)).toBe(AMOUNT);
    await simulator.reverse(name, transferId);
    const report = await provider.lookUp(byOurReference(reference));
    expect(sumKept(report)).toBe(0);
    expect(sumReturned(report)).toBe(AMOUNT);
  });

  test('money that is returned later from a virtual account no longer counts', async () => {
    const [provider, receiver] = [connectAdapter(name), await startReceiver()];
    simulator.notifyAt(name, receiver.url);
    const { accountNumber } = await provider.createAccount(newCustomer(), newAccountReference());
    const { transferId } = await pay(accountNumber, AMOUNT);
    await simulator.settled();
    await receiver.stop();
    const [query] = provider.read(Buffer.from(receiver.received[0]?.body ?? '')).queries;
    if (!query) throw new Error('The notification has no query.');
    const before = await provider.lookUp(query);
    await simulator.reverse(name, transferId);
    const after = await provider.lookUp(query);
    const listIds = (report: PaymentReport | 'unknown') =>
      report === 'unknown' ? [] : report.money.map((money) => (money.kind === 'transfer' ? money.transferId : ''));
    expect([sumKept(before), sumKept(after)]).toEqual([AMOUNT, 0]);
    expect(after).toMatchObject({ money: [{ outcome: 'reversed', amount: AMOUNT }] });
    expect(listIds(after)).toEqual(listIds(before));
  });

  describe('a notification', () => {
    let receiver: Receiver;
    let provider: ProviderAdapter;
    let issued: IssuedPaymentAccount;
    beforeEach(async () => {
      receiver = await startReceiver();
      notifyAt(name, receiver.url);
      provider = connectAdapter(name);
      issued = await provider.createPaymentAccount(order(newReference()));
    });
    afterEach(() => receiver.stop());
    const readHeaders = (index = 0) => receiver.received[index]?.headers as Record<string, string>;
    const readBytes = (index = 0) => Buffer.from(receiver.received[index]?.body ?? '');
    const payAmount = async (fault?: Fault) => {
      if (fault) simulator.fault(name, fault);
      const transfer = await pay(issued.account.accountNumber, AMOUNT);
      await simulator.settled();
      return transfer;
    };

    test('a notification is authentic under the secret, and under the previous one during a rotation', async () => {
      await payAmount();
      expect(await provider.authenticate(readHeaders(), readBytes())).toBe(true);
      expect(await connectAdapter(name, { rotated: true }).authenticate(readHeaders(), readBytes())).toBe(true);
    });

    test('a notification is not authentic with a changed body, or with a missing or wrong signature', async () => {
      await payAmount({ kind: 'wrong_signature', times: 1 });
      expect(await provider.authenticate(readHeaders(), readBytes())).toBe(false);
      const { transferId } = await pay(
        (await provider.createPaymentAccount(order(newReference()))).account.accountNumber,
        AMOUNT,
      );
      await simulator.settled();
      await simulator.resend(transferId);
      expect(await provider.authenticate(readHeaders(1), readBytes(1))).toBe(true);
      expect(readBytes(2)).toEqual(readBytes(1));
      expect(await provider.authenticate({}, readBytes(1))).toBe(false);
      const tampered = readBytes(1)
        .toString()
        .replace(/(amount(?:Paid)?":)(\d)/, '$19');
      expect(tampered).not.toBe(readBytes(1).toString());
      expect(await provider.authenticate(readHeaders(1), Buffer.from(tampered))).toBe(false);
    });

    test('a notification leads to the payment, even if its amount is wrong', async () => {
      await payAmount({ kind: 'wrong_amount', times: 1 });
      expect(await provider.authenticate(readHeaders(), readBytes())).toBe(true);
      const { queries, rejected } = provider.read(readBytes());
      expect(rejected).toEqual([]);
      expect(queries).toHaveLength(1);
      for (const query of queries) expect(await lookUpKept(provider, query)).toBe(AMOUNT);
    });

    test('a notification before the answer to the creation leads to the payment', async () => {
      const reference = newReference();
      simulator.fault(name, { kind: 'before_answer', times: 1 });
      await provider.createPaymentAccount(order(reference));
      expect(receiver.received).toHaveLength(1);
      const { queries } = provider.read(readBytes());
      expect(queries).toHaveLength(1);
      for (const query of queries) expect(await lookUpKept(provider, query)).toBe(AMOUNT);
      expect(await lookUpAllKept(provider, reference)).toBe(AMOUNT);
    });

    test.each([
      '',
      'null',
      '[]',
      '{"event":"charge.success"}',
      '{"eventType":"SUCCESSFUL_TRANSACTION","eventData":[]}',
      '<p>',
    ])('a body that is no notification causes no look-up: %s', (text) => {
      const { problem, ...parts } = provider.read(Buffer.from(text));
      expect(parts).toEqual({ queries: [], rejected: [], refunds: [], accounts: [] });
      expect([null, 'unreadable']).toContain(problem);
    });
  });

  describe('a fault', () => {
    test('a single 401 is handled by a retry', async () => {
      const [provider, reference] = [connectAdapter(name), newReference()];
      await provider.lookUp(byOurReference(reference));
      simulator.fault(name, { kind: 'unauthorised', times: 1 });
      const { account } = await provider.createPaymentAccount(order(reference));
      expect((await pay(account.accountNumber, AMOUNT)).keptAmount).toBe(AMOUNT);
      expect(listOpen('payment')).toHaveLength(1);
    });

    test('a repeated 401 is a ProviderError after a few calls', async () => {
      simulator.fault(name, { kind: 'unauthorised' });
      await expect(connectAdapter(name).createPaymentAccount(order(newReference()))).rejects.toMatchObject({
        name: 'ProviderError',
      });
      expect(simulator.books.requests(name)).toBeLessThanOrEqual(4);
    });

    const LAST_STEP = OPENING[name].payment.at(-1) ?? /./;
    const UNCLEAR: readonly (readonly [string, Fault])[] = [
      ['a 500', { kind: 'server_fault', path: LAST_STEP }],
      ['a 502 in HTML', { kind: 'gateway_fault', status: 502, path: LAST_STEP }],
      ['a 503 in HTML', { kind: 'gateway_fault', status: 503, path: LAST_STEP }],
      ['a cut connection', { kind: 'lost_answer', path: LAST_STEP }],
    ];
    test.each(UNCLEAR)('the outcome is unknown after %s', async (_, fault) => {
      simulator.fault(name, fault);
      await expect(connectAdapter(name).createPaymentAccount(order(newReference()))).rejects.toMatchObject(
        OUTCOME_UNKNOWN,
      );
    });

    longTest('the outcome is unknown if no answer comes', async () => {
      simulator.fault(name, { kind: 'hung', path: LAST_STEP });
      const hasty = connectAdapter(name, { http: { answerMs: SECOND } });
      await expect(hasty.createPaymentAccount(order(newReference()))).rejects.toMatchObject(OUTCOME_UNKNOWN);
    });

    test('a 429 means that nothing was done', async () => {
      simulator.fault(name, { kind: 'rate_limited' });
      await expect(connectAdapter(name).createPaymentAccount(order(newReference()))).rejects.toMatchObject(BUSY);
      await expect(connectAdapter(name).createAccount(newCustomer(), newAccountReference())).rejects.toMatchObject(
        BUSY,
      );
      expect(simulator.books.accounts()).toEqual([]);
    });

    test('a refused connection means that nothing was done', async () => {
      const provider = connectAdapter(name);
      await simulator.stop();
      await expect(provider.createPaymentAccount(order(newReference()))).rejects.toMatchObject(UNAVAILABLE);
      simulator = await startSimulator({ now });
    });

    test('a lasting fault opens the provider’s breaker until it answers again', async () => {
      const [provider, reference] = [connectAdapter(name), newReference()];
      const ask = () =>
        provider.lookUp(byOurReference(reference)).then(
          () => 'answered',
          (error: Error) => error.name,
        );
      simulator.fault(name, { kind: 'gateway_fault', status: 503 });
      const first = [];
      for (let i = 0; i < 30; i += 1) first.push(await ask());
      expect(first).not.toContain('answered');
      const rested = simulator.books.requests(name);
      expect(rested).toBeLessThanOrEqual(6);
      expect(new Set(await Promise.all(Array.from({ length: 30 }, ask)))).toEqual(new Set(['ProviderUnavailable']));
      expect(simulator.books.requests(name)).toBe(rested);
      clock += MINUTE;
      await Promise.all(Array.from({ length: 30 }, ask));
      expect(simulator.books.requests(name) - rested).toBe(1);
      simulator.fault(name, null);
      clock += MINUTE;
      expect([await ask(), await ask()]).toEqual(['answered', 'answered']);
    });

    test('slow answers never lead to more than eight concurrent calls', async () => {
      const provider = connectAdapter(name);
      simulator.fault(name, { kind: 'slow', ms: 20 });
      await Promise.all(Array.from({ length: 30 }, () => provider.lookUp(byOurReference(newReference()))));
      expect(simulator.books.maxConcurrent(name)).toBeLessThanOrEqual(8);
    });
  });

  (name === 'korapay' ? test : longTest)('all incoming payments are listed, page by page', async () => {
    const provider = connectAdapter(name);
    const { accountNumber } = await provider.createAccount(newCustomer(), newAccountReference());
    for (let i = 1; i <= 210; i += 1) await pay(accountNumber, 10_000 + i);
    for (const sent of [AMOUNT, AMOUNT, AMOUNT - 1]) {
      const { account } = await provider.createPaymentAccount(order(newReference()));
      await pay(account.accountNumber, sent);
    }
    const listed: ReportPage['payments'][number][] = [];
    let [cursor, pages]: [string | null, number] = [null, 0];
    do {
      const page = await provider.listPayments({ from: MORNING - HOUR, to: MORNING + HOUR, cursor });
      listed.push(...page.payments);
      [cursor, pages] = [page.next, pages + 1];
    } while (cursor !== null && pages < 20);
    expect(pages).toBeGreaterThan(2);
    expect(new Set(listed.map(({ query }) => query.value)).size).toBe(listed.length);
    const lookedUp = await Promise.all(
      listed.map(async (payment) => ({ ...payment, report: await provider.lookUp(payment.query) })),
    );
    expect(lookedUp.reduce((sum, { report }) => sum + sumKept(report), 0)).toBe(simulator.books.totalKept());
    for (const { origin, report } of lookedUp) {
      const money = report === 'unknown' ? [] : report.money;
      // Monnify's list shows the origin of each payment in both readings, unless the reference is in another spelling.
      if (name === 'monnify' && as !== SMALL_LETTERS) expect(origin).not.toBeNull();
      if (origin !== null) expect(money.map(findOrigin)).toEqual([origin]);
    }
  });
});

describe('Monnify’s adapter', () => {
  test('a second account for the same BVN is rejected, and the first one is still found', async () => {
    const [provider, person, reference] = [connectAdapter('monnify'), newCustomer(), newAccountReference()];
    const account = await provider.createAccount(person, reference);
    await expect(provider.createAccount(person, newAccountReference())).rejects.toMatchObject({
      name: 'ProviderError',
      message: 'The provider has an account for this customer already.',
    });
    expect(await provider.findAccount(person, reference)).toEqual(account);
  });

  test('concurrent callers share one login, and an expired token causes another one', async () => {
    const provider = connectAdapter('monnify');
    await Promise.all(Array.from({ length: 5 }, () => provider.lookUp(byOurReference(newReference()))));
    expect(simulator.books.requests('monnify')).toBe(6);
    clock += 2 * HOUR;
    await provider.lookUp(byOurReference(newReference()));
    expect(simulator.books.requests('monnify')).toBe(8);
  });

  describe.each(['hidden', 'status', 'amount', 'reversed'] as const)('a refund under the reading "%s"', (refunds) => {
    /** Pays an account of a kind and refunds the transfer. Returns the reports about it. */
    const payAndRefund = async (kind: 'static' | 'payment', amount: Kobo | undefined, stage?: 'failed') => {
      simulator.prefer('monnify', { refunds });
      const [provider, receiver, reference] = [connectAdapter('monnify'), await startReceiver(), newReference()];
      const { accountNumber } =
        kind === 'static'
          ? await provider.createAccount(newCustomer(), newAccountReference())
          : (await provider.createPaymentAccount(order(reference))).account;
      const { transferId } = await simulator.pay({ provider: 'monnify', accountNumber, amount: AMOUNT });
      simulator.notifyAt('monnify', receiver.url);
      simulator.refund(transferId, { ...(amount !== undefined && { amount }), ...(stage && { stage }) });
      await simulator.settled();
      await receiver.stop();
      const [sent] = receiver.received;
      const raw = Buffer.from(sent?.body ?? '');
      expect(await provider.authenticate(sent?.headers as Record<string, string>, raw)).toBe(true);
      const { queries, refunds: paidBack, problem } = provider.read(raw);
      expect([queries.length, problem]).toEqual([1, null]);
      const [query] = queries;
      if (!query) throw new Error('The notification has no query.');
      return { paidBack, query, shownAmount: sumKept(await provider.lookUp(query)), listed: await listNow(provider) };
    };
    const listNow = (provider: ProviderAdapter) =>
      provider.listPayments({ from: MORNING - HOUR, to: MORNING + HOUR, cursor: null });
    const PART = kobo.parse(50_000);

    test.each(['static', 'payment'] as const)('a partial refund of a %s account is reported', async (kind) => {
      const { paidBack, query, shownAmount, listed } = await payAndRefund(kind, PART);
      expect(paidBack).toEqual([{ query, refund: { id: expect.any(String), amount: PART } }]);
      expect(shownAmount).toBe(refunds === 'amount' ? AMOUNT - PART : AMOUNT);
      expect(simulator.books.totalKept()).toBe(AMOUNT - PART);
      expect(listed.payments).toMatchObject([{ query, isReturned: refunds === 'status' }]);
    });

    test.each(['static', 'payment'] as const)('a full refund of a %s account is reported', async (kind) => {
      const { paidBack, query, shownAmount, listed } = await payAndRefund(kind, undefined);
      expect(paidBack).toMatchObject([{ refund: { amount: AMOUNT } }]);
      expect(shownAmount).toBe(refunds === 'hidden' ? AMOUNT : 0);
      expect(simulator.books.totalKept()).toBe(0);
      expect(listed.payments).toMatchObject([{ query, isReturned: refunds !== 'hidden' }]);
    });

    test('a failed refund is not reported', async () => {
      const { paidBack, shownAmount } = await payAndRefund('payment', PART, 'failed');
      expect([paidBack, shownAmount, simulator.books.totalKept()]).toEqual([[], AMOUNT, AMOUNT]);
    });
  });
});

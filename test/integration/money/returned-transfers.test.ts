import type { Kobo } from '#shared/domain/kernel/money.ts';
import { MINUTE, SECOND } from '#shared/domain/kernel/time.ts';
import type {
  PaymentReport,
  ReportedMoney,
  ReportedRejection,
  ReportedTransfer,
  RunningTotal,
} from '#shared/domain/money/report.ts';
import { OutdatedAnswer, ProviderRefusal } from '#shared/domain/providers/errors.ts';
import type { LiveProvider } from '#shared/ports/providers.ts';
import { assignPayment } from '#shared/use-cases/money/assign-payment.ts';
import { landMoney } from '#shared/use-cases/money/land-money.ts';
import { lookUpPayment } from '#shared/use-cases/money/look-up-payment.ts';
import { sweepDueWork } from '#test/support/worlds/functions.ts';
import { barrier, breakOpening, gate } from '#test/support/worlds/live-faults.ts';
import { fetchCheckout, merchant, paymentsOf, world } from '#test/support/worlds/live-merchant.ts';
import {
  eventTypesOf,
  expectBooksToAgree,
  holdNotifications,
  measuredSum,
  minutesPass,
  notify,
  PROVIDERS,
  recorded,
  unmatched,
  withScriptedProvider,
} from '#test/support/worlds/live-steps.ts';
import type { LiveWorld } from '#test/support/worlds/live-world.ts';

/* Money that providers sent back: whatever order the news comes in, it counts for nothing, and is told once. */

/** What a checkout asks for, ₦8,500, and wrong amounts. */
const ASKED = 850_000;
const UNDER = 800_000;
const OVER = 900_000;

type Deps = LiveWorld['deps'];

const particulars = () => ({
  providerReference: 'KPY-PAY-7',
  fee: 0 as Kobo,
  paidAt: world.clock.now(),
  senderName: 'Chidi Eze',
  senderBank: 'GTBank',
});
const transferTo = (reference: string, outcome: ReportedTransfer['outcome']): ReportedTransfer => ({
  ...particulars(),
  kind: 'transfer',
  transferId: 'KPY-PAY-7',
  payee: { by: 'our_reference', reference },
  amount: ASKED as Kobo,
  outcome,
});
const rejectionTo = (reference: string): ReportedRejection => ({
  ...particulars(),
  kind: 'rejection',
  rejectionId: 'session-1',
  payee: { by: 'our_reference', reference },
  amount: ASKED as Kobo,
});
const totalOf = (reference: string, amount: number, outcome: 'accepted' | 'reversed'): RunningTotal => ({
  ...particulars(),
  kind: 'running_total',
  payee: { by: 'our_reference', reference },
  kept: (outcome === 'accepted' ? amount : 0) as Kobo,
  returned: (outcome === 'accepted' ? 0 : amount) as Kobo,
});

describe('all of a payment at Korapay, told by the amounts of a success', () => {
  const provider = 'korapay';
  beforeEach(() => {
    world.twin.prefer(provider, { over: 'accept_all', reversalBy: 'amounts' });
  });
  const look = (reference: string) =>
    lookUpPayment(world.deps, provider, world.deps.liveProviders(provider) as LiveProvider, {
      by: 'our_reference',
      value: reference,
    });

  test.each([ASKED, OVER])('of %i kobo that had counted: it is taken out, once', async (amount) => {
    const { reference, account_number: accountNumber } = await merchant.checkout(provider);
    const { transferId } = await world.twin.pay({ provider, accountNumber, amount });
    await world.twin.settled();
    expect(await fetchCheckout(reference)).toMatchObject({ status: 'paid', paid_amount: amount / 100 });
    await world.twin.reverse(provider, transferId);
    world.clock.advance(MINUTE);
    await look(reference);
    expect(await fetchCheckout(reference)).toMatchObject({ status: 'pending', paid_amount: 0 });
    await minutesPass(world, 12, 6);
    await look(reference);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.paid', 'checkout.payment_reversed']);
    await expectBooksToAgree(world);
  });

  test('that is more than was asked for is found without a word', async () => {
    const { reference, account_number: accountNumber } = await merchant.checkout(provider);
    const { transferId } = await world.twin.pay({ provider, accountNumber, amount: OVER });
    await world.twin.settled();
    await world.twin.reverse(provider, transferId);
    await minutesPass(world, 12, 6);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.paid', 'checkout.payment_reversed']);
    await expectBooksToAgree(world);
  });

  test('before we heard of it: it is told as sent back, once', async () => {
    const held = await holdNotifications(world, provider);
    const { reference, account_number: accountNumber } = await merchant.checkout(provider);
    const { transferId } = await world.twin.pay({ provider, accountNumber, amount: ASKED });
    await world.twin.reverse(provider, transferId);
    for (const sent of await held.held()) expect((await notify(world, provider, sent)).status).toBe(200);
    await held.stop();
    world.clock.advance(MINUTE);
    await look(reference);
    expect(await paymentsOf(reference)).toEqual(['8500 rejected']);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.payment_rejected']);
    await expectBooksToAgree(world);
  });
});

describe('two wrong amounts that Korapay returns altogether', () => {
  const provider = 'korapay';
  const payBoth = async (between: () => Promise<void>) => {
    world.twin.prefer(provider, { over: 'return_all', under: 'return_all' });
    const { reference, account_number: accountNumber } = await merchant.checkout(provider);
    await world.twin.pay({ provider, accountNumber, amount: OVER });
    await between();
    // Its look-up tells the return of this one alone.
    await world.twin.pay({ provider, accountNumber, amount: UNDER });
    await minutesPass(world, 12, 6);
    return { reference, accountNumber };
  };

  test('are told one by one, and the right amount after them counts', async () => {
    const { reference, accountNumber } = await payBoth(() => minutesPass(world, 12, 6));
    expect(await paymentsOf(reference)).toEqual(['8000 rejected', '9000 rejected']);
    await world.twin.pay({ provider, accountNumber, amount: ASKED });
    await world.twin.settled();
    await minutesPass(world, 2);
    expect(await fetchCheckout(reference)).toMatchObject({ status: 'paid', paid_amount: 8_500 });
    const rejected = 'checkout.payment_rejected';
    expect(await eventTypesOf(world, reference)).toEqual([rejected, rejected, 'checkout.paid']);
    await expectBooksToAgree(world);
  });

  test('are told together where nobody heard of the first', async () => {
    const { reference } = await payBoth(async () => {});
    expect(await paymentsOf(reference)).toEqual(['17000 rejected']);
    await minutesPass(world, 12, 6);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.payment_rejected']);
  });
});

/** The world in which whoever looks for the owner of money waits until two have found out. */
const abreast = (deps: Deps): Deps => {
  const pass = barrier(2);
  const locate: Deps['ledger']['locate'] = async (...asked) => {
    const located = await deps.ledger.locate(...asked);
    await pass();
    return located;
  };
  return { ...deps, ledger: { ...deps.ledger, locate } };
};

/** The world in which whoever has decided waits to be let go before it writes. */
const heldAtWrite = (deps: Deps) => {
  const [decided, going] = [gate(), gate()];
  const wait = (): Promise<void> => {
    decided.open();
    return going.opened;
  };
  const record: Deps['ledger']['record'] = async (entry) => {
    await wait();
    return deps.ledger.record(entry);
  };
  const keep: Deps['unmatched']['keep'] = async (unmatched) => {
    await wait();
    return deps.unmatched.keep(unmatched);
  };
  const held = { ...deps, ledger: { ...deps.ledger, record }, unmatched: { ...deps.unmatched, keep } };
  return { deps: held, reached: decided.opened, letGo: going.open };
};

const FIRST = ['the payment', 'the reversal', 'neither'] as const;
type First = (typeof FIRST)[number];
type Landing = (deps: Deps) => Promise<unknown>;
/** Two answers of which each was decided upon before the other was recorded; `first` is recorded first. */
const takeIn = async (first: First, payment: Landing, reversal: Landing): Promise<void> => {
  if (first === 'neither') {
    const deps = abreast(world.deps);
    await Promise.all([payment(deps), reversal(deps)]);
    return;
  }
  const late = heldAtWrite(world.deps);
  const [early, second] = first === 'the payment' ? [payment, reversal] : [reversal, payment];
  const landing = second(late.deps);
  await late.reached;
  await early(world.deps);
  late.letGo();
  await landing;
};

describe.each(PROVIDERS)('a reversal at %s that races with the news of the payment', (provider) => {
  /** Looks a payment up before and after it went back, and takes both answers in at once. */
  const race = async (accountNumber: string, first: First, of: 'checkout' | 'account'): Promise<void> => {
    const held = await holdNotifications(world, provider);
    const { transferId } = await world.twin.pay({ provider, accountNumber, amount: ASKED });
    const [sent] = await held.held();
    await held.stop();
    const real = world.deps.liveProviders(provider) as LiveProvider;
    const [query] = real.read(Buffer.from(sent?.body ?? '')).queries;
    if (!query) throw new Error('The notification asks for nothing.');
    const askedAt = world.clock.now();
    const before = await real.lookUp(query);
    await world.twin.reverse(provider, transferId);
    world.clock.advance(SECOND);
    const after = await real.lookUp(query);
    const landing = (report: PaymentReport | 'unknown', at: number) => async (deps: Deps) => {
      const { money: told, state } = report as PaymentReport;
      for (const money of told) await landMoney(deps, provider, money, { state, askedAt: at });
    };
    await takeIn(first, landing(before, askedAt), landing(after, world.clock.now()));
    // A total that fell so soon after it grew is asked for again; one transfer is certain.
    if (of === 'checkout' && provider !== 'paystack') await minutesPass(world, 12, 1);
  };

  test.each(FIRST)('for a checkout: it takes effect; first is %s', async (first) => {
    const { reference, account_number: accountNumber } = await merchant.checkout(provider);
    await race(accountNumber, first, 'checkout');
    expect(await fetchCheckout(reference)).toMatchObject({ paid_amount: 0 });
    const [unheard, heard] = [['checkout.payment_rejected'], ['checkout.paid', 'checkout.payment_reversed']];
    const right = { 'the reversal': [unheard], 'the payment': [heard], neither: [unheard, heard] }[first];
    expect(right).toContainEqual(await eventTypesOf(world, reference));
    await expectBooksToAgree(world);
  });

  test.each(FIRST)('for a virtual account: it takes effect; first is %s', async (first) => {
    const { id, account_number: accountNumber } = await merchant.account(provider);
    await race(accountNumber, first, 'account');
    const heard = ['virtual_account.payment_received', 'virtual_account.payment_reversed'];
    const right = { 'the reversal': [[]], 'the payment': [heard], neither: [[], heard] }[first];
    expect(right).toContainEqual((await eventTypesOf(world, id)).toSorted());
    const outcomes = (await recorded(world)).map(({ outcome }) => outcome);
    expect(outcomes).toHaveLength(1);
    expect(outcomes).not.toContain('accepted');
    await expectBooksToAgree(world);
  });
});

describe('what went back while it was nobody’s', () => {
  const provider = 'korapay';
  /** The world in which nobody has written whose money is, for the first so many who look. */
  const nobodyKnows = (deps: Deps, times: number): Deps => {
    let left = times;
    const locate: Deps['ledger']['locate'] = async (...asked) => {
      left -= 1;
      const located = await deps.ledger.locate(...asked);
      return left < 0 ? located : { ...located, tenant: undefined, owner: undefined };
    };
    return { ...deps, ledger: { ...deps.ledger, locate } };
  };
  test('before anybody heard that it was accepted: it is announced once, and never counts', async () => {
    const { reference } = await merchant.checkout(provider);
    const early = nobodyKnows(world.deps, 2);
    for (const outcome of ['reversed', 'accepted'] as const) {
      expect(await landMoney(early, provider, transferTo(reference, outcome))).toBe('unmatched');
    }
    expect(await unmatched(world)).toEqual([]);
    expect(await eventTypesOf(world, reference)).toEqual([]);
    await minutesPass(world, 1);
    expect(await paymentsOf(reference)).toEqual(['8500 rejected']);
    for (const outcome of ['accepted', 'reversed'] as const) {
      await landMoney(world.deps, provider, transferTo(reference, outcome));
    }
    await minutesPass(world, 70, 10);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.payment_rejected', 'checkout.expired']);
    expect(await fetchCheckout(reference)).toMatchObject({ paid_amount: 0 });
  });

  test('and then an older report comes when its owner is known: it is announced as returned', async () => {
    const { reference } = await merchant.checkout(provider);
    await landMoney(nobodyKnows(world.deps, 1), provider, transferTo(reference, 'reversed'));
    expect(await landMoney(world.deps, provider, transferTo(reference, 'accepted'))).toBe('landed');
    expect(await paymentsOf(reference)).toEqual(['8500 rejected']);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.payment_rejected']);
  });

  test('as a rejection: it is announced once when its owner is known, and accepted money of its transaction counts', async () => {
    const { reference } = await merchant.checkout(provider);
    expect(await landMoney(nobodyKnows(world.deps, 1), provider, rejectionTo(reference))).toBe('unmatched');
    expect(await unmatched(world)).toEqual([]);
    for (let time = 1; time <= 2; time += 1) await landMoney(world.deps, provider, rejectionTo(reference));
    expect(await landMoney(world.deps, provider, transferTo(reference, 'accepted'))).toBe('landed');
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.payment_rejected', 'checkout.paid']);
    expect((await world.itemsOf('PAY')).filter(({ unmatched: isUnmatched }) => isUnmatched)).toEqual([]);
  });

  test('while the news that it was accepted lands: it goes, whoever is first', async () => {
    for (const first of ['the payment', 'the reversal'] as const) {
      const { reference } = await merchant.checkout(provider);
      const land = (deps: Deps, outcome: ReportedTransfer['outcome']) =>
        landMoney(deps, provider, { ...transferTo(reference, outcome), transferId: `KPY-${first}` });
      await takeIn(
        first,
        (deps) => land(deps, 'accepted'),
        (deps) => land(nobodyKnows(deps, 1), 'reversed'),
      );
      expect(await fetchCheckout(reference)).toMatchObject({ status: 'pending', paid_amount: 0 });
      expect(await eventTypesOf(world, reference)).toEqual(
        first === 'the payment' ? ['checkout.paid', 'checkout.payment_reversed'] : ['checkout.payment_rejected'],
      );
    }
  });

  test('is not to be assigned, although somebody had listed it', async () => {
    const nobody = 'PAY-NOBODYKNOWSTHISONE00';
    await landMoney(world.deps, provider, transferTo(nobody, 'accepted'));
    const listed = await world.deps.unmatched.oldest(10);
    expect(listed).toHaveLength(1);
    await landMoney(world.deps, provider, transferTo(nobody, 'reversed'));
    const { reference } = await merchant.checkout(provider);
    const money = listed[0]?.money as ReportedMoney;
    const owner = { kind: 'checkout', reference } as const;
    expect(await landMoney(world.deps, provider, money, {}, { owner, tenant: merchant.business.tenant })).toBe(
      'unmatched',
    );
    const asked = assignPayment(world.deps, { paymentId: listed[0]?.id ?? '', to: reference, who: 'bisi' });
    await expect(asked).rejects.toThrow('There is no unmatched payment');
    expect(await fetchCheckout(reference)).toMatchObject({ status: 'pending', paid_amount: 0, version: 1 });
  });

  test('wholly, of a running total, before its checkout was there: an older answer counts for nothing', async () => {
    const { reference } = await merchant.checkout(provider);
    const askedAt = world.clock.now();
    world.clock.advance(MINUTE);
    const gone = totalOf(reference, ASKED, 'reversed');
    const newer = { askedAt: world.clock.now() };
    expect(await landMoney(nobodyKnows(world.deps, 1), provider, gone, newer)).toBe('unmatched');
    const older = totalOf(reference, ASKED, 'accepted');
    expect(await landMoney(nobodyKnows(world.deps, 1), provider, older, { askedAt })).toBe('unmatched');
    expect(await landMoney(world.deps, provider, older, { askedAt })).toBe('stale');
    expect(await unmatched(world)).toEqual([]);
    expect(await landMoney(world.deps, provider, gone, newer)).toBe('landed');
    expect(await landMoney(world.deps, provider, older, { askedAt })).toBe('stale');
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.payment_rejected']);
    expect(await world.itemsOf('PAY')).toHaveLength(1);
  });

  test('of a running total that Korapay names no more: it is not to be assigned, unless it is named again', async () => {
    const nobody = 'PAY-NOBODYKNOWSTHISONE00';
    const kept = totalOf(nobody, ASKED, 'accepted');
    let money: readonly ReportedMoney[] = [kept];
    const { deps } = withScriptedProvider(world, provider, () => ({ lookUp: async () => ({ money, state: 'open' }) }));
    const sweepIn = async (minutes: number): Promise<number> => {
      world.clock.advance(minutes * MINUTE);
      await sweepDueWork(deps, world.clock.now() + 30 * SECOND);
      return (await world.deps.unmatched.oldest(10)).length;
    };
    await landMoney(deps, provider, kept, { askedAt: world.clock.now() });
    expect(await sweepIn(1)).toBe(1);
    money = [];
    expect(await sweepIn(5)).toBe(0);
    money = [kept];
    expect(await sweepIn(60)).toBe(1);
    expect(await eventTypesOf(world, nobody)).toEqual([]);
  });
});

test.each(['paystack', 'monnify'] as const)(
  'too little at %s, which sends it back before the checkout was written: its business hears of it once',
  async (provider) => {
    breakOpening(world, provider, 'checkout', { kind: 'lost_answer' });
    const payer = { payer_email: 'chidi.eze@example.com', provider };
    expect((await merchant.api.initialize({ amount: 8_500, ...payer })).status).toBe(502);
    const account = world.twin.books.accounts().at(-1);
    const accountNumber = account?.number ?? '';
    const { kept } = await world.twin.pay({ provider, accountNumber, amount: UNDER });
    expect(kept).toBe(0);
    await world.twin.settled();
    await minutesPass(world, 8);
    const [opened] = (await merchant.api.listCheckouts()).json.data;
    expect(opened.payments).toMatchObject([{ amount: 8_000, outcome: 'rejected' }]);
    await world.twin.pay({ provider, accountNumber, amount: ASKED });
    await world.twin.settled();
    await minutesPass(world, 70, 10);
    expect(await eventTypesOf(world, opened.reference)).toEqual(['checkout.payment_rejected', 'checkout.paid']);
    await expectBooksToAgree(world);
  },
);

test.each(['paystack', 'monnify'] as const)(
  'too little at %s, sent back hours before the checkout could be written: its business hears of it with the opening',
  async (provider) => {
    breakOpening(world, provider, 'checkout', { kind: 'lost_answer' });
    const payer = { payer_email: 'chidi.eze@example.com', provider };
    expect((await merchant.api.initialize({ amount: 8_500, ...payer, expires_in: 86_400 })).status).toBe(502);
    const accountNumber = world.twin.books.accounts().at(-1)?.number ?? '';
    await world.twin.pay({ provider, accountNumber, amount: UNDER });
    await world.twin.settled();
    const lookUp: LiveProvider['lookUp'] = async () => {
      throw new ProviderRefusal('The provider refused the request.');
    };
    await minutesPass(
      withScriptedProvider(world, provider, () => ({ lookUp })),
      10 * 60,
      10,
    );
    expect((await merchant.api.listCheckouts()).json.data).toEqual([]);
    // Nobody is called, nothing is overdue, and it is not matched again every minute.
    expect(measuredSum(world, 'payments_unmatched')).toBe(0);
    const opened = async () => (await merchant.api.listCheckouts()).json.data[0];
    for (let minutes = 0; minutes < 24 * 60 && !(await opened()); minutes += 1) await minutesPass(world, 1);
    expect((await opened()).payments).toMatchObject([{ amount: 8_000, outcome: 'rejected' }]);
    expect(await eventTypesOf(world, (await opened()).reference)).toEqual(['checkout.payment_rejected']);
    expect((await world.itemsOf('PAY')).filter(({ unmatched: isUnmatched }) => isUnmatched)).toEqual([]);
  },
);

test('what was sent back for a checkout that is never opened is matched again for as long as it may be', async () => {
  const provider = 'paystack';
  breakOpening(world, provider, 'checkout', { kind: 'lost_answer' });
  const wanted = { amount: 8_500, payer_email: 'chidi.eze@example.com', provider, expires_in: 86_400 };
  expect((await merchant.api.initialize(wanted)).status).toBe(502);
  const reference = world.twin.books.accounts().at(-1)?.reference ?? '';
  expect(await landMoney(world.deps, provider, rejectionTo(reference))).toBe('unmatched');
  let answer: 'refused' | 'unknown' = 'refused';
  const lookUp: LiveProvider['lookUp'] = async () => {
    if (answer === 'refused') throw new ProviderRefusal('The provider refused the request.');
    return answer;
  };
  const asking = withScriptedProvider(world, provider, () => ({ lookUp }));
  await minutesPass(asking, 3 * 60, 5);
  expect(await world.deps.unmatched.newest(10)).toMatchObject([{ money: { kind: 'rejection' } }]);
  answer = 'unknown';
  await minutesPass(asking, 6 * 60, 5);
  expect(await world.itemsOf('CHK')).toEqual([]);
  expect(await world.deps.unmatched.newest(10)).toEqual([]);
});

describe.each(['the rejection', 'the reversal'])(
  'a wrong amount at Monnify that is told as rejected, and as reversed by a look-up; first is %s',
  (first) => {
    const provider = 'monnify';
    test('is told once, and the right amount after it counts', async () => {
      const held = await holdNotifications(world, provider);
      const { reference, account_number: accountNumber } = await merchant.checkout(provider);
      await world.twin.pay({ provider, accountNumber, amount: UNDER });
      const [sent] = await held.held();
      await held.stop();
      world.twin.notifyAt(provider, world.notificationUrl(provider));
      const { transactionReference } = JSON.parse(sent?.body ?? '').eventData;
      const money = { ...totalOf(reference, UNDER, 'reversed'), providerReference: transactionReference };
      const { deps } = withScriptedProvider(world, provider, () => ({
        lookUp: async () => ({ money: [money], state: 'open' }),
      }));
      const query = { by: 'our_reference', value: reference } as const;
      const reversal = () => lookUpPayment(deps, provider, deps.liveProviders(provider) as LiveProvider, query);
      const rejection = () => notify(world, provider, sent ?? { headers: {}, body: '' });
      for (const hear of first === 'the rejection' ? [rejection, reversal] : [reversal, rejection]) {
        world.clock.advance(MINUTE);
        await hear();
      }
      world.clock.advance(MINUTE);
      await reversal();
      expect(await paymentsOf(reference)).toEqual(['8000 rejected']);
      expect(await eventTypesOf(world, reference)).toEqual(['checkout.payment_rejected']);
      // Another one of the same amount is told, and the right amount counts.
      await world.twin.pay({ provider, accountNumber, amount: UNDER });
      await world.twin.pay({ provider, accountNumber, amount: ASKED });
      await world.twin.settled();
      await minutesPass(world, 12, 6);
      const rejected = 'checkout.payment_rejected';
      expect((await eventTypesOf(world, reference)).toSorted()).toEqual(['checkout.paid', rejected, rejected]);
      await expectBooksToAgree(world);
    });
  },
);

test('that all of it went back is noted while an older answer is being recorded: the note stays', async () => {
  const provider = 'monnify';
  const { reference } = await merchant.checkout(provider);
  const askedAt = world.clock.now();
  world.clock.advance(MINUTE);
  const late = heldAtWrite(world.deps);
  const older = landMoney(late.deps, provider, totalOf(reference, ASKED, 'accepted'), { askedAt });
  await late.reached;
  // Nothing is told of it, as there is no amount.
  await landMoney(world.deps, provider, totalOf(reference, 0, 'reversed'), { askedAt: world.clock.now() });
  late.letGo();
  expect(await older).toBe('stale');
  expect(await fetchCheckout(reference)).toMatchObject({ status: 'pending', paid_amount: 0, version: 1 });
  const lookUp: LiveProvider['lookUp'] = async () => ({
    money: [totalOf(reference, ASKED, 'accepted')],
    state: 'complete',
  });
  const { deps } = withScriptedProvider(world, provider, () => ({ lookUp }));
  const ask = () =>
    lookUpPayment(deps, provider, deps.liveProviders(provider) as LiveProvider, {
      by: 'our_reference',
      value: reference,
    });
  // New money counts, if a little later.
  await expect(ask()).rejects.toThrow(OutdatedAnswer);
  world.clock.advance(MINUTE);
  await ask();
  expect(await eventTypesOf(world, reference)).toEqual(['checkout.paid']);
});

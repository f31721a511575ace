import type { Kobo } from '#shared/domain/kernel/money.ts';
import { MINUTE, SECOND } from '#shared/domain/kernel/time.ts';
import type {
  PaymentReport,
  ReportedMoney,
  ReportedRejection,
  ReportedTransfer,
  RunningTotal,
} from '#shared/domain/money/report.ts';
import { ProviderRefusal, StaleReport } from '#shared/domain/providers/errors.ts';
import type { LiveProvider } from '#shared/ports/providers.ts';
import { assignPayment } from '#shared/use-cases/money/assign-payment.ts';
import { landMoney } from '#shared/use-cases/money/land-money.ts';
import { lookUpPayment } from '#shared/use-cases/money/look-up-payment.ts';
import { longTest } from '#test/support/jest/long.ts';
import { sweepDueWork } from '#test/support/worlds/functions.ts';
import { barrier, breakOpening, gate } from '#test/support/worlds/live-faults.ts';
import {
  fetchCheckout,
  merchant,
  openWorldForEachTest,
  paymentsOf,
  world,
} from '#test/support/worlds/live-merchant.ts';
import {
  eventTypesOf,
  expectBooksToAgree,
  holdNotifications,
  measuredSum,
  minutesPass,
  notify,
  recorded,
  unmatched,
  withScriptedProvider,
} from '#test/support/worlds/live-steps.ts';
import type { LiveWorld } from '#test/support/worlds/live-world.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';

openWorldForEachTest();

/* Money that providers returned does not count and is announced once, in whatever order the reports come. */

/** In kobo: what every checkout asks for, ₦8,500, and wrong amounts. */
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

describe('a full return at Korapay that only the amounts of a successful charge show', () => {
  const provider = 'korapay';
  beforeEach(() => {
    world.twin.prefer(provider, { over: 'accept_all', reversalBy: 'amounts' });
  });
  const lookUpOnce = (reference: string) =>
    lookUpPayment(world.deps, provider, world.deps.liveProviders(provider) as LiveProvider, {
      by: 'our_reference',
      value: reference,
    });

  test.each([ASKED, OVER])('reverses %i kobo that had counted, once', async (amount) => {
    const { reference, account_number: accountNumber } = await merchant.checkout(provider);
    const { transferId } = await world.twin.pay({ provider, accountNumber, amount });
    await world.twin.settled();
    expect(await fetchCheckout(reference)).toMatchObject({ status: 'paid', paid_amount: amount / 100 });
    await world.twin.reverse(provider, transferId);
    world.clock.advance(MINUTE);
    await lookUpOnce(reference);
    expect(await fetchCheckout(reference)).toMatchObject({ status: 'pending', paid_amount: 0 });
    await minutesPass(world, 12, 6);
    await lookUpOnce(reference);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.paid', 'checkout.payment_reversed']);
    await expectBooksToAgree(world);
  });

  test('of an overpayment is found without a notification', async () => {
    const { reference, account_number: accountNumber } = await merchant.checkout(provider);
    const { transferId } = await world.twin.pay({ provider, accountNumber, amount: OVER });
    await world.twin.settled();
    await world.twin.reverse(provider, transferId);
    await minutesPass(world, 12, 6);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.paid', 'checkout.payment_reversed']);
    await expectBooksToAgree(world);
  });

  test('before the payment was reported is announced as rejected, once', async () => {
    const held = await holdNotifications(world, provider);
    const { reference, account_number: accountNumber } = await merchant.checkout(provider);
    const { transferId } = await world.twin.pay({ provider, accountNumber, amount: ASKED });
    await world.twin.reverse(provider, transferId);
    for (const sent of await held.held()) expect((await notify(world, provider, sent)).status).toBe(200);
    await held.stop();
    world.clock.advance(MINUTE);
    await lookUpOnce(reference);
    expect(await paymentsOf(reference)).toEqual(['8500 rejected']);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.payment_rejected']);
    await expectBooksToAgree(world);
  });
});

describe('two wrong amounts that Korapay returns whole', () => {
  const provider = 'korapay';
  const payBoth = async (between: () => Promise<void>) => {
    world.twin.prefer(provider, { over: 'return_all', under: 'return_all' });
    const { reference, account_number: accountNumber } = await merchant.checkout(provider);
    await world.twin.pay({ provider, accountNumber, amount: OVER });
    await between();
    // Korapay's look-up then shows the return of this payment alone.
    await world.twin.pay({ provider, accountNumber, amount: UNDER });
    await minutesPass(world, 12, 6);
    return { reference, accountNumber };
  };

  test('are announced one by one when each was looked up, and the right amount afterwards counts', async () => {
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

  test('are announced together when the first was never looked up', async () => {
    const { reference } = await payBoth(async () => {});
    expect(await paymentsOf(reference)).toEqual(['17000 rejected']);
    await minutesPass(world, 12, 6);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.payment_rejected']);
  });
});

/** Dependencies with which a landing, once it has found the owner, waits for a second landing to do so. */
const locatingTogether = (deps: Deps): Deps => {
  const pass = barrier(2);
  const locate: Deps['ledger']['locate'] = async (...asked) => {
    const located = await deps.ledger.locate(...asked);
    await pass();
    return located;
  };
  return { ...deps, ledger: { ...deps.ledger, locate } };
};

/** Dependencies with which a landing waits for `release` before it writes. */
const heldAtWrite = (deps: Deps) => {
  const [decided, released] = [gate(), gate()];
  const wait = (): Promise<void> => {
    decided.open();
    return released.opened;
  };
  const record: Deps['ledger']['record'] = async (entry) => {
    await wait();
    return deps.ledger.record(entry);
  };
  const save: Deps['unmatched']['save'] = async (...saved) => {
    await wait();
    return deps.unmatched.save(...saved);
  };
  const held = { ...deps, ledger: { ...deps.ledger, record }, unmatched: { ...deps.unmatched, save } };
  return { deps: held, reached: decided.opened, release: released.open };
};

const FIRST = ['the payment', 'the reversal', 'neither'] as const;
type First = (typeof FIRST)[number];
type Landing = (deps: Deps) => Promise<unknown>;
/** Lands a payment and its reversal, each decided before the other is recorded; `first` is recorded first. */
const landInterleaved = async (first: First, payment: Landing, reversal: Landing): Promise<void> => {
  if (first === 'neither') {
    const deps = locatingTogether(world.deps);
    await Promise.all([payment(deps), reversal(deps)]);
    return;
  }
  const late = heldAtWrite(world.deps);
  const [early, second] = first === 'the payment' ? [payment, reversal] : [reversal, payment];
  const landing = second(late.deps);
  await late.reached;
  await early(world.deps);
  late.release();
  await landing;
};

describeAtProviders('a reversal at %s that races with the report of its payment', (provider) => {
  /** Looks a payment up before and after its return, and lands both answers at once. */
  const race = async (accountNumber: string, first: First, owner: 'checkout' | 'account'): Promise<void> => {
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
      const { money: reported, state } = report as PaymentReport;
      for (const money of reported) await landMoney(deps, provider, money, { state, askedAt: at });
    };
    await landInterleaved(first, landing(before, askedAt), landing(after, world.clock.now()));
    // A running total that falls so soon after it grew is looked up again; a single transfer is certain.
    if (owner === 'checkout' && provider !== 'paystack') await minutesPass(world, 12, 1);
  };

  test.each(FIRST)('takes effect on a checkout; recorded first: %s', async (first) => {
    const { reference, account_number: accountNumber } = await merchant.checkout(provider);
    await race(accountNumber, first, 'checkout');
    expect(await fetchCheckout(reference)).toMatchObject({ paid_amount: 0 });
    const [rejected, reversed] = [['checkout.payment_rejected'], ['checkout.paid', 'checkout.payment_reversed']];
    const allowed = { 'the reversal': [rejected], 'the payment': [reversed], neither: [rejected, reversed] }[first];
    expect(allowed).toContainEqual(await eventTypesOf(world, reference));
    await expectBooksToAgree(world);
  });

  test.each(FIRST)('takes effect on a virtual account; recorded first: %s', async (first) => {
    const { id, account_number: accountNumber } = await merchant.account(provider);
    await race(accountNumber, first, 'account');
    const reversed = ['virtual_account.payment_received', 'virtual_account.payment_reversed'];
    const allowed = { 'the reversal': [[]], 'the payment': [reversed], neither: [[], reversed] }[first];
    expect(allowed).toContainEqual((await eventTypesOf(world, id)).toSorted());
    const outcomes = (await recorded(world)).map(({ outcome }) => outcome);
    expect(outcomes).toHaveLength(1);
    expect(outcomes).not.toContain('accepted');
    await expectBooksToAgree(world);
  });
});

describe('money that was returned while it was unmatched', () => {
  const provider = 'korapay';
  /** Dependencies with which the first `times` landings find no owner. */
  const withoutOwner = (deps: Deps, times: number): Deps => {
    let left = times;
    const locate: Deps['ledger']['locate'] = async (...asked) => {
      left -= 1;
      const located = await deps.ledger.locate(...asked);
      return left < 0 ? located : { ...located, tenant: undefined, owner: undefined };
    };
    return { ...deps, ledger: { ...deps.ledger, locate } };
  };
  test('before it was reported as accepted is announced once and never counts', async () => {
    const { reference } = await merchant.checkout(provider);
    const early = withoutOwner(world.deps, 2);
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

  test('is announced as rejected when an older report that it was accepted finds the owner', async () => {
    const { reference } = await merchant.checkout(provider);
    await landMoney(withoutOwner(world.deps, 1), provider, transferTo(reference, 'reversed'));
    expect(await landMoney(world.deps, provider, transferTo(reference, 'accepted'))).toBe('landed');
    expect(await paymentsOf(reference)).toEqual(['8500 rejected']);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.payment_rejected']);
  });

  test('as a rejection is announced once when its owner is known, and accepted money of its transaction counts', async () => {
    const { reference } = await merchant.checkout(provider);
    expect(await landMoney(withoutOwner(world.deps, 1), provider, rejectionTo(reference))).toBe('unmatched');
    expect(await unmatched(world)).toEqual([]);
    for (let time = 1; time <= 2; time += 1) await landMoney(world.deps, provider, rejectionTo(reference));
    expect(await landMoney(world.deps, provider, transferTo(reference, 'accepted'))).toBe('landed');
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.payment_rejected', 'checkout.paid']);
    expect((await world.itemsOf('PAY')).filter(({ unmatched: isUnmatched }) => isUnmatched)).toEqual([]);
  });

  test('while the report that it was accepted lands does not count, whichever is recorded first', async () => {
    for (const first of ['the payment', 'the reversal'] as const) {
      const { reference } = await merchant.checkout(provider);
      const land = (deps: Deps, outcome: ReportedTransfer['outcome']) =>
        landMoney(deps, provider, { ...transferTo(reference, outcome), transferId: `KPY-${first}` });
      await landInterleaved(
        first,
        (deps) => land(deps, 'accepted'),
        (deps) => land(withoutOwner(deps, 1), 'reversed'),
      );
      expect(await fetchCheckout(reference)).toMatchObject({ status: 'pending', paid_amount: 0 });
      expect(await eventTypesOf(world, reference)).toEqual(
        first === 'the payment' ? ['checkout.paid', 'checkout.payment_reversed'] : ['checkout.payment_rejected'],
      );
    }
  });

  test('cannot be assigned, although an operator had listed it', async () => {
    const unknown = 'PAY-NOBODYKNOWSTHISONE00';
    await landMoney(world.deps, provider, transferTo(unknown, 'accepted'));
    const listed = await world.deps.unmatched.oldest(10);
    expect(listed).toHaveLength(1);
    await landMoney(world.deps, provider, transferTo(unknown, 'reversed'));
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

  test('as a whole running total, before its checkout existed, is not counted by an older answer', async () => {
    const { reference } = await merchant.checkout(provider);
    const askedAt = world.clock.now();
    world.clock.advance(MINUTE);
    const returned = totalOf(reference, ASKED, 'reversed');
    const newer = { askedAt: world.clock.now() };
    expect(await landMoney(withoutOwner(world.deps, 1), provider, returned, newer)).toBe('unmatched');
    const older = totalOf(reference, ASKED, 'accepted');
    expect(await landMoney(withoutOwner(world.deps, 1), provider, older, { askedAt })).toBe('unmatched');
    expect(await landMoney(world.deps, provider, older, { askedAt })).toBe('stale');
    expect(await unmatched(world)).toEqual([]);
    expect(await landMoney(world.deps, provider, returned, newer)).toBe('landed');
    expect(await landMoney(world.deps, provider, older, { askedAt })).toBe('stale');
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.payment_rejected']);
    expect(await world.itemsOf('PAY')).toHaveLength(1);
  });

  test('as a running total that Korapay no longer reports leaves the list until it is reported again', async () => {
    const unknown = 'PAY-NOBODYKNOWSTHISONE00';
    const kept = totalOf(unknown, ASKED, 'accepted');
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
    expect(await eventTypesOf(world, unknown)).toEqual([]);
  });
});

test.each(['paystack', 'monnify'] as const)(
  'an underpayment that %s rejects before the checkout is written is announced once',
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

longTest.each(['paystack', 'monnify'] as const)(
  'an underpayment that %s rejects hours before the checkout can be written is announced when it opens',
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
    // Nobody is alerted.
    expect(measuredSum(world, 'payments_unmatched')).toBe(0);
    const opened = async () => (await merchant.api.listCheckouts()).json.data[0];
    for (let minutes = 0; minutes < 24 * 60 && !(await opened()); minutes += 1) await minutesPass(world, 1);
    expect((await opened()).payments).toMatchObject([{ amount: 8_000, outcome: 'rejected' }]);
    expect(await eventTypesOf(world, (await opened()).reference)).toEqual(['checkout.payment_rejected']);
    expect((await world.itemsOf('PAY')).filter(({ unmatched: isUnmatched }) => isUnmatched)).toEqual([]);
  },
);

longTest(
  'a rejection for a checkout that never opens is kept while the checkout may still open, and then dropped',
  async () => {
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
  },
);

describe.each(['the rejection', 'the reversal'])(
  'a wrong amount that Monnify notifies as rejected and a look-up shows as reversed; first is %s',
  (first) => {
    const provider = 'monnify';
    test('is announced once, and the right amount afterwards counts', async () => {
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
      for (const land of first === 'the rejection' ? [rejection, reversal] : [reversal, rejection]) {
        world.clock.advance(MINUTE);
        await land();
      }
      world.clock.advance(MINUTE);
      await reversal();
      expect(await paymentsOf(reference)).toEqual(['8000 rejected']);
      expect(await eventTypesOf(world, reference)).toEqual(['checkout.payment_rejected']);
      // A second rejection of the same amount is announced, and the right amount counts.
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

test('a full return that is recorded while an older answer is being written stays recorded', async () => {
  const provider = 'monnify';
  const { reference } = await merchant.checkout(provider);
  const askedAt = world.clock.now();
  world.clock.advance(MINUTE);
  const late = heldAtWrite(world.deps);
  const older = landMoney(late.deps, provider, totalOf(reference, ASKED, 'accepted'), { askedAt });
  await late.reached;
  // Nothing is announced, because the report has no amount.
  await landMoney(world.deps, provider, totalOf(reference, 0, 'reversed'), { askedAt: world.clock.now() });
  late.release();
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
  // A new payment counts, after a delay.
  await expect(ask()).rejects.toThrow(StaleReport);
  world.clock.advance(MINUTE);
  await ask();
  expect(await eventTypesOf(world, reference)).toEqual(['checkout.paid']);
});

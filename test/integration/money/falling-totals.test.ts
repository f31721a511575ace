import type { Kobo } from '#shared/domain/kernel/money.ts';
import { MINUTE, SECOND } from '#shared/domain/kernel/time.ts';
import type { RunningTotal } from '#shared/domain/money/report.ts';
import { StaleReport } from '#shared/domain/providers/errors.ts';
import type { LiveProvider } from '#shared/ports/providers.ts';
import { settleOpeningCheckout } from '#shared/use-cases/checkouts/settle-opening-checkout.ts';
import { assignPayment } from '#shared/use-cases/money/assign-payment.ts';
import { landMoney } from '#shared/use-cases/money/land-money.ts';
import { lookUpPayment } from '#shared/use-cases/money/look-up-payment.ts';
import { reconcileProvider, sweepDueWork } from '#test/support/worlds/functions.ts';
import {
  fetchCheckout,
  merchant,
  openWorldForEachTest,
  paymentsOf,
  world,
} from '#test/support/worlds/live-merchant.ts';
import {
  countCalls,
  eventTypesOf,
  expectBooksToAgree,
  expectCheckoutSum,
  holdNotifications,
  LIST,
  LOOK_UP,
  minutesPass,
  notify,
  recorded,
  unmatched,
  withScriptedProvider,
} from '#test/support/worlds/live-steps.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';

openWorldForEachTest();

/* Running totals that fall, because the provider returns all or part of money that had counted. */

/** In kobo: what every checkout asks for, ₦8,500, and ₦500 more. */
const ASKED = 850_000;
const OVER = 900_000;

/** A report that Korapay keeps this amount under a reference. */
const totalOf = (reference: string, amount: number): RunningTotal => ({
  kind: 'running_total',
  payee: { by: 'our_reference', reference },
  providerReference: 'KPY-PAY-7',
  kept: amount as Kobo,
  returned: 0 as Kobo,
  fee: 0 as Kobo,
  paidAt: world.clock.now(),
  senderName: 'Chidi Eze',
  senderBank: 'GTBank',
});
const REVERSED = ['checkout.paid', 'checkout.payment_reversed'];

describe('an overpayment that Korapay first accepts whole and whose excess it then returns', () => {
  const provider = 'korapay';
  /** A checkout that was paid ₦9,000. */
  const overpaid = async () => {
    world.twin.prefer(provider, { over: 'accept_all' });
    const { reference, account_number: accountNumber } = await merchant.checkout(provider);
    const { transferId } = await world.twin.pay({ provider, accountNumber, amount: OVER, senderName: 'Chidi Eze' });
    await world.twin.settled();
    return { reference, transferId };
  };
  const counted = async () => {
    const paid = await overpaid();
    expect(await fetchCheckout(paid.reference)).toMatchObject({ status: 'paid', paid_amount: 9_000 });
    return paid;
  };

  test.each(['processing', 'success'] as const)(
    'once counted, the excess is reversed once; refund %s',
    async (status) => {
      const { reference, transferId } = await counted();
      await world.twin.returnExcess(transferId, status);
      await minutesPass(world, 12, 6);
      expect(await fetchCheckout(reference)).toMatchObject({
        status: 'paid',
        paid_amount: 8_500,
        sender_name: 'Chidi Eze',
      });
      expect(await paymentsOf(reference)).toEqual(['8500 accepted', '9000 reversed']);
      expect(await eventTypesOf(world, reference)).toEqual(REVERSED);
      // The refund's completion changes nothing more, and is not announced as a rejection.
      await world.twin.returnExcess(transferId, 'success');
      await minutesPass(world, 24, 12);
      expect(await eventTypesOf(world, reference)).toEqual(REVERSED);
      await expectBooksToAgree(world);
    },
  );

  test('once counted and reversed, the excess counts again when its refund fails', async () => {
    const { reference, transferId } = await counted();
    await world.twin.returnExcess(transferId, 'processing');
    await minutesPass(world, 12, 6);
    await world.twin.returnExcess(transferId, 'failed');
    await minutesPass(world, 12, 6);
    expect(await paymentsOf(reference)).toEqual(['500 accepted', '8500 accepted', '9000 reversed']);
    expect(await eventTypesOf(world, reference)).toEqual([...REVERSED, 'checkout.overpaid']);
    await expectBooksToAgree(world);
    // The second refund succeeds.
    await world.twin.returnExcess(transferId, 'success');
    await minutesPass(world, 24, 12);
    expect(await paymentsOf(reference)).toEqual(['500 reversed', '8500 accepted', '9000 reversed']);
    await expectBooksToAgree(world);
  });

  test.each([
    ['success', 8_500, ['8500 accepted', '500 rejected'], ['checkout.paid', 'checkout.payment_rejected']],
    ['failed', 9_000, ['500 accepted', '8500 accepted'], ['checkout.paid', 'checkout.overpaid']],
  ] as const)(
    'before it is reported: excess under refund does not count, until the refund fails; refund %s',
    async (end, paid, payments, events) => {
      const held = await holdNotifications(world, provider);
      const { reference, transferId } = await overpaid();
      await world.twin.returnExcess(transferId, 'processing');
      for (const sent of await held.held()) expect((await notify(world, provider, sent)).status).toBe(200);
      await held.stop();
      expect(await fetchCheckout(reference)).toMatchObject({ status: 'paid', paid_amount: 8_500 });
      expect(await eventTypesOf(world, reference)).toEqual(['checkout.paid']);
      await world.twin.returnExcess(transferId, end);
      await minutesPass(world, 12, 6);
      expect(await fetchCheckout(reference)).toMatchObject({ status: 'paid', paid_amount: paid });
      expect((await paymentsOf(reference)).toSorted()).toEqual([...payments].toSorted());
      expect(await eventTypesOf(world, reference)).toEqual(events);
      await minutesPass(world, 24, 12);
      expect(await eventTypesOf(world, reference)).toEqual(events);
      await expectBooksToAgree(world);
    },
  );

  test('with three sweepers at once, the excess is reversed once', async () => {
    const { reference, transferId } = await counted();
    await world.twin.returnExcess(transferId, 'success');
    world.clock.advance(11 * MINUTE);
    const sweepOnce = () => sweepDueWork(world.deps, world.clock.now() + 30 * SECOND);
    await Promise.all([sweepOnce(), sweepOnce(), sweepOnce()]);
    await minutesPass(world, 12, 6);
    expect(await eventTypesOf(world, reference)).toEqual(REVERSED);
    await expectBooksToAgree(world);
  });

  test('days after the payment, the return is found within a day', async () => {
    const { reference, transferId } = await counted();
    await minutesPass(world, 48 * 60, 12 * 60);
    await world.twin.returnExcess(transferId, 'success');
    await minutesPass(world, 26 * 60, 13 * 60);
    expect(await eventTypesOf(world, reference)).toEqual(REVERSED);
    await expectBooksToAgree(world);
  });
});

describe('a running total that changes while older look-ups are still unanswered', () => {
  const provider = 'korapay';
  /** A checkout, and look-ups whose answers wait for the test. An answer shows what was kept when it was asked for. */
  const begin = async () => {
    const { reference } = await merchant.checkout(provider);
    const answers: (() => void)[] = [];
    let kept = 0;
    const lookUp: LiveProvider['lookUp'] = async () => {
      const money = [totalOf(reference, kept)];
      await new Promise<void>((resolve) => {
        answers.push(resolve);
      });
      return { money, state: 'open' };
    };
    const { deps } = withScriptedProvider(world, provider, () => ({ lookUp }));
    const asked = deps.liveProviders(provider) as LiveProvider;
    /** Starts a look-up; its answer waits for `release`. */
    const ask = async (): Promise<{ readonly answered: Promise<unknown>; readonly release: () => void }> => {
      const before = answers.length;
      const answered = lookUpPayment(deps, provider, asked, { by: 'our_reference', value: reference });
      // The test looks at failures later; until then they must not count as unhandled.
      answered.catch(() => {});
      while (answers.length === before) await new Promise((resolve) => setImmediate(resolve));
      return { answered, release: () => answers[before]?.() };
    };
    return {
      reference,
      ask,
      /** Sets what the provider keeps from now on, in kobo. */
      setKept: (amount: number): void => {
        kept = amount;
      },
      lookUp: async (): Promise<void> => {
        const { answered, release } = await ask();
        release();
        await answered;
      },
    };
  };

  test('an answer from before a payment lowers nothing, however late it arrives, and is refused as stale', async () => {
    const { reference, setKept, ask, lookUp } = await begin();
    setKept(300_000);
    await lookUp();
    const late = await ask();
    setKept(ASKED);
    await lookUp();
    world.clock.advance(10 * MINUTE);
    late.release();
    await expect(late.answered).rejects.toThrow(StaleReport);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.underpaid', 'checkout.paid']);
    await lookUp();
    await expectCheckoutSum(world, reference, ASKED);
  });

  test('an answer from before the fall raises nothing, however late it arrives', async () => {
    const { reference, setKept, ask, lookUp } = await begin();
    setKept(OVER);
    await lookUp();
    const late = await ask();
    world.clock.advance(MINUTE);
    setKept(ASKED);
    await lookUp();
    world.clock.advance(10 * MINUTE);
    late.release();
    await expect(late.answered).rejects.toThrow(StaleReport);
    expect(await eventTypesOf(world, reference)).toEqual(REVERSED);
    await expectCheckoutSum(world, reference, ASKED);
  });

  test.each([
    ['oldest first', [0, 1, 2, 3]],
    ['newest first', [3, 2, 1, 0]],
  ])(
    'answers about a fall and a later payment, %s, end at the sum that is kept, each change announced once',
    async (_, order) => {
      const { reference, setKept, ask, lookUp } = await begin();
      setKept(OVER);
      await lookUp();
      world.clock.advance(2 * MINUTE);
      const all: Awaited<ReturnType<typeof ask>>[] = [];
      for (const kept of [ASKED, ASKED, ASKED + 120_000, ASKED + 120_000]) {
        setKept(kept);
        all.push(await ask());
        world.clock.advance(SECOND);
      }
      for (const at of order) all[at]?.release();
      for (const outcome of await Promise.allSettled(all.map(({ answered }) => answered))) {
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(StaleReport);
      }
      // A stale answer is asked for again.
      world.clock.advance(MINUTE);
      await lookUp();
      await expectCheckoutSum(world, reference, ASKED + 120_000);
    },
  );

  test('part is returned, more is paid, most is returned: the sum equals the provider’s each time', async () => {
    const { reference, setKept, lookUp } = await begin();
    for (const kept of [300_000, ASKED, 700_000, 950_000, 120_000, ASKED]) {
      world.clock.advance(MINUTE);
      setKept(kept);
      await lookUp();
      await expectCheckoutSum(world, reference, kept);
    }
    expect(await eventTypesOf(world, reference)).toEqual([
      'checkout.underpaid',
      'checkout.paid',
      'checkout.payment_reversed',
      'checkout.paid',
      'checkout.payment_reversed',
      'checkout.paid',
    ]);
  });
});

test('after all money was returned, reconciliation finds the same amount paid again without a notification', async () => {
  const provider = 'monnify';
  const { reference } = await merchant.checkout(provider);
  const kept = totalOf(reference, ASKED);
  for (const money of [kept, { ...kept, kept: kept.returned, returned: kept.kept }]) {
    world.clock.advance(MINUTE);
    await landMoney(world.deps, provider, money, { askedAt: world.clock.now() });
  }
  expect(await fetchCheckout(reference)).toMatchObject({ status: 'pending', paid_amount: 0 });
  world.clock.advance(MINUTE);
  // The list shows the total that was recorded and reversed before.
  const row = {
    query: { by: 'our_reference', value: reference },
    origin: { kind: 'part', reference, reached: ASKED as Kobo, falls: 0 },
    isReturned: false,
  } as const;
  const { deps } = withScriptedProvider(world, provider, () => ({
    listPayments: async () => ({ payments: [row], next: null }),
    lookUp: async () => ({ money: [kept], state: 'complete' }),
  }));
  await reconcileProvider(deps, provider, 'recent', Number.MAX_SAFE_INTEGER);
  expect(await fetchCheckout(reference)).toMatchObject({ status: 'paid', paid_amount: 8_500 });
});

describe('a running total that is paid before its checkout is opened', () => {
  const provider = 'korapay';
  /** Pays ₦9,000 to an account whose opening was not confirmed; returns its reference, Korapay's transfer id and our payment id. */
  const paidBeforeItOpens = async () => {
    world.twin.prefer(provider, { over: 'accept_all' });
    world.twin.fault(provider, { kind: 'lost_answer', path: /bank-transfer$/, times: 1 });
    const payer = { payer_email: 'chidi.eze@example.com', provider };
    expect((await merchant.api.initialize({ amount: 8_500, ...payer })).status).toBe(502);
    const account = world.twin.books.accounts().at(-1);
    const { transferId } = await world.twin.pay({ provider, accountNumber: account?.number ?? '', amount: OVER });
    await world.twin.settled();
    const [kept] = await unmatched(world);
    expect(kept).toMatchObject({ money: { kept: OVER, payee: { reference: account?.reference } } });
    return { reference: account?.reference ?? '', transferId, paymentId: kept?.id ?? '' };
  };
  /** Lets two minutes pass, in which the sweeper opens the checkout. */
  const open = () => minutesPass(world, 2);
  const assign = (paymentId: string, to: string, deps = world.deps) =>
    assignPayment(deps, { paymentId, to, who: 'bisi' });
  const sumsOf = async (...references: string[]): Promise<readonly number[]> =>
    Promise.all(references.map(async (reference) => (await fetchCheckout(reference)).paid_amount));

  test('falls without a notification: when the checkout opens, only what is kept counts', async () => {
    const { reference, transferId } = await paidBeforeItOpens();
    world.twin.notifyAt(provider, null);
    await world.twin.returnExcess(transferId, 'success');
    await open();
    // On a busy machine a call in those minutes may time out; matching is tried again five minutes after the payment.
    await minutesPass(world, 5);
    expect(await fetchCheckout(reference)).toMatchObject({ status: 'paid', paid_amount: 8_500 });
    expect(await paymentsOf(reference)).toEqual(['500 rejected', '8500 accepted']);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.paid', 'checkout.payment_rejected']);
    expect(await unmatched(world)).toEqual([]);
    await expectBooksToAgree(world);
  });

  test('cannot be matched as the checkout opens: it lands at the next try, five minutes after the payment', async () => {
    const { reference } = await paidBeforeItOpens();
    const timeout = new Error('The table did not answer in time.');
    const noList = { ...world.deps.unmatched, newest: () => Promise.reject(timeout) };
    // The unmatched entry's own look-up is due in the same minute and must not match it either.
    const noMatching = { ...noList, findDue: () => Promise.reject(timeout) };
    // So is a reconciliation, which could land it on the checkout once that is open.
    world.twin.fault(provider, { kind: 'server_fault', path: LIST[provider] });
    world.clock.advance(MINUTE);
    await sweepDueWork({ ...world.deps, unmatched: noMatching }, world.clock.now() + 30 * SECOND);
    world.twin.fault(provider, null);
    expect(await fetchCheckout(reference)).toMatchObject({ status: 'pending', paid_amount: 0 });
    await minutesPass(world, 5);
    expect(await fetchCheckout(reference)).toMatchObject({ status: 'paid', paid_amount: 9_000 });
    expect(await unmatched(world)).toEqual([]);
  });

  test('is returned without a notification before the checkout opens: it is announced as rejected and never counts', async () => {
    const { reference, transferId } = await paidBeforeItOpens();
    world.twin.notifyAt(provider, null);
    await world.twin.reverse(provider, transferId);
    await open();
    expect(await fetchCheckout(reference)).toMatchObject({ status: 'pending', paid_amount: 0 });
    // The unmatched entry may be gone before the checkout opens; then the look-up at expiry finds the return.
    await minutesPass(world, 40, 5);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.payment_rejected', 'checkout.expired']);
    expect(await unmatched(world)).toEqual([]);
    await expectBooksToAgree(world);
  });

  test('counts only on the checkout it was assigned to, even when its own checkout opens afterwards', async () => {
    const { reference, paymentId } = await paidBeforeItOpens();
    const other = await merchant.checkout(provider);
    await assign(paymentId, other.reference);
    await open();
    await minutesPass(world, 12, 6);
    expect(await sumsOf(reference, other.reference)).toEqual([0, 9_000]);
  });

  test('after a crash between assignment and landing, assigning it again completes the first assignment', async () => {
    const { reference, paymentId } = await paidBeforeItOpens();
    const [other, third] = [await merchant.checkout(provider), await merchant.checkout(provider)];
    const crash = new Error('The process is gone.');
    const ledger = {
      ...world.deps.ledger,
      record: async () => {
        throw crash;
      },
    };
    await expect(assign(paymentId, other.reference, { ...world.deps, ledger })).rejects.toThrow(crash);
    world.clock.advance(MINUTE);
    const noneUnmatched = { ...world.deps.unmatched, newest: async () => [] };
    await settleOpeningCheckout({ ...world.deps, unmatched: noneUnmatched }, reference);
    expect(await sumsOf(reference, other.reference)).toEqual([0, 0]);
    await expect(assign(paymentId, third.reference)).rejects.toThrow(`has landed on ${other.reference}, whose it is.`);
    expect(await sumsOf(reference, other.reference, third.reference)).toEqual([0, 9_000, 0]);
  });

  test('landed on its own checkout, with a crash before its unmatched entry was removed: it cannot be assigned elsewhere', async () => {
    const { reference, paymentId } = await paidBeforeItOpens();
    const other = await merchant.checkout(provider);
    const crashing = { ...world.deps, unmatched: { ...world.deps.unmatched, forget: async () => {} } };
    world.clock.advance(MINUTE);
    await sweepDueWork(crashing, world.clock.now() + 30 * SECOND);
    expect(await sumsOf(reference, other.reference)).toEqual([9_000, 0]);
    expect(await unmatched(world)).toHaveLength(1);
    const refused = `has landed on ${reference}, whose it is. Nothing was recorded on ${other.reference}.`;
    await expect(assign(paymentId, other.reference)).rejects.toThrow(refused);
    await minutesPass(world, 12, 6);
    expect(await unmatched(world)).toEqual([]);
    expect(await sumsOf(reference, other.reference)).toEqual([9_000, 0]);
    expect(await eventTypesOf(world, other.reference)).toEqual([]);
  });

  test.each(['processing', 'success'] as const)(
    'was assigned before its own checkout opened: a returned excess is reversed where it was assigned; refund %s',
    async (status) => {
      const { reference, transferId, paymentId } = await paidBeforeItOpens();
      const other = await merchant.checkout(provider);
      await assign(paymentId, other.reference);
      await open();
      await world.twin.returnExcess(transferId, status);
      await minutesPass(world, 12, 6);
      await world.twin.returnExcess(transferId, 'success');
      await minutesPass(world, 12, 6);
      expect(await sumsOf(reference, other.reference)).toEqual([0, 8_500]);
      expect(await eventTypesOf(world, other.reference)).toEqual(REVERSED);
      expect(await eventTypesOf(world, reference)).toEqual([]);
    },
  );

  test('is assigned while its own checkout opens: it counts on exactly one of the two', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { reference, paymentId } = await paidBeforeItOpens();
      const other = await merchant.checkout(provider);
      world.clock.advance(MINUTE);
      const [assigned] = await Promise.allSettled([
        assign(paymentId, other.reference),
        sweepDueWork(world.deps, world.clock.now() + 30 * SECOND),
      ]);
      await minutesPass(world, 12, 6);
      const sums = await sumsOf(reference, other.reference);
      expect(sums).toEqual(assigned.status === 'fulfilled' ? [0, 9_000] : [9_000, 0]);
      expect(await unmatched(world)).toEqual([]);
    }
  });
});

describe('a running total that an operator assigned', () => {
  const provider = 'korapay';
  /** The reference of a charge that was opened at the provider without us. */
  const UNKNOWN_REFERENCE = 'PAY-NOBODYKNOWSTHISONE00';
  const lookUpOnce = async (): Promise<void> => {
    world.clock.advance(MINUTE);
    const asked = world.deps.liveProviders(provider) as LiveProvider;
    await lookUpPayment(world.deps, provider, asked, { by: 'our_reference', value: UNKNOWN_REFERENCE });
  };
  const payUnknown = async (amount: number) => {
    world.twin.prefer(provider, { over: 'accept_all', under: 'accept_all' });
    const payer = { accountName: 'Chidi Eze', payerEmail: 'chidi.eze@example.com', expiresAt: world.clock.now() };
    const wanted = { reference: UNKNOWN_REFERENCE, amount: ASKED as Kobo, ...payer };
    const { account } = (await world.deps.liveProviders(provider)?.createPaymentAccount(wanted)) ?? {};
    const accountNumber = account?.accountNumber ?? '';
    const { transferId } = await world.twin.pay({ provider, accountNumber, amount });
    await world.twin.settled();
    return transferId;
  };
  const assign = async () => {
    const [kept] = await unmatched(world);
    const { reference } = await merchant.checkout(provider);
    await assignPayment(world.deps, { paymentId: kept?.id ?? '', to: reference, who: 'bisi' });
    return reference;
  };
  const assigned = async (amount: number) => {
    const transferId = await payUnknown(amount);
    const reference = await assign();
    // Korapay reports its own charge as complete. That does not make a checkout of another amount paid.
    const status = amount < ASKED ? 'underpaid' : 'paid';
    expect(await fetchCheckout(reference)).toMatchObject({ status, paid_amount: amount / 100 });
    return { reference, transferId };
  };
  const expectOnlyOn = async (reference: string, sum: number): Promise<void> => {
    expect(await fetchCheckout(reference)).toMatchObject({ paid_amount: sum / 100 });
    const payments = (await recorded(world)).filter(({ outcome }) => outcome === 'accepted');
    expect(payments.reduce((all, { amount }) => all + amount, 0)).toBe(sum);
    expect(await unmatched(world)).toEqual([]);
    expect(world.twin.books.kept()).toBe(sum);
  };

  test('is reversed where it was assigned when reconciliation finds it returned', async () => {
    const { reference, transferId } = await assigned(ASKED);
    await world.twin.reverse(provider, transferId);
    await minutesPass(world, 12, 6);
    await expectOnlyOn(reference, 0);
    expect(await eventTypesOf(world, reference)).toEqual(REVERSED);
  });

  test('falls and rises where it was assigned', async () => {
    const { reference, transferId } = await assigned(OVER);
    await world.twin.returnExcess(transferId, 'processing');
    await lookUpOnce();
    await expectOnlyOn(reference, ASKED);
    await world.twin.returnExcess(transferId, 'failed');
    await lookUpOnce();
    await expectOnlyOn(reference, OVER);
    await world.twin.reverse(provider, transferId);
    await lookUpOnce();
    await expectOnlyOn(reference, 0);
  });

  test('grows where it was assigned', async () => {
    const { reference } = await assigned(800_000);
    const askedAt = world.clock.now();
    expect(await landMoney(world.deps, provider, totalOf(UNKNOWN_REFERENCE, OVER), { askedAt })).toBe('landed');
    expect(await fetchCheckout(reference)).toMatchObject({ status: 'paid', paid_amount: 9_000 });
  });

  test('below the checkout’s amount leaves it underpaid, also after later look-ups', async () => {
    const { reference } = await assigned(50_000);
    await lookUpOnce();
    await minutesPass(world, 12, 6);
    expect(await fetchCheckout(reference)).toMatchObject({ status: 'underpaid', paid: false, paid_amount: 500 });
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.underpaid']);
  });

  test('that fell while unmatched lands with what is kept when it is assigned', async () => {
    const transferId = await payUnknown(OVER);
    await world.twin.returnExcess(transferId, 'processing');
    await lookUpOnce();
    expect(await unmatched(world)).toMatchObject([{ money: { kept: ASKED } }]);
    const reference = await assign();
    await expectOnlyOn(reference, ASKED);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.paid']);
  });

  test('that was returned after an operator had listed it is not assigned, and nothing lands', async () => {
    const transferId = await payUnknown(OVER);
    const [listed] = await unmatched(world);
    await world.twin.reverse(provider, transferId);
    const { reference } = await merchant.checkout(provider);
    const assign = () => assignPayment(world.deps, { paymentId: listed?.id ?? '', to: reference, who: 'bisi' });
    await expect(assign()).rejects.toThrow('korapay has sent the money of pay_');
    await expectOnlyOn(reference, 0);
    expect(await eventTypesOf(world, reference)).toEqual([]);
    expect((await world.deps.ledger.locate(provider, totalOf(UNKNOWN_REFERENCE, OVER))).owner).toBeUndefined();
  });

  test('that fell while unmatched, without a notification, lands with what is kept', async () => {
    const transferId = await payUnknown(OVER);
    world.twin.notifyAt(provider, null);
    await world.twin.returnExcess(transferId, 'success');
    const reference = await assign();
    await expectOnlyOn(reference, ASKED);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.paid']);
  });

  test('is refused for a second checkout, because it would count twice', async () => {
    const { reference } = await assigned(800_000);
    const other = await merchant.checkout(provider);
    // As after a crash before the unmatched entry was removed.
    const restoreEntry = async () => {
      const source = { kind: 'running_total', reference: UNKNOWN_REFERENCE } as const;
      const kept = { id: world.deps.newId('pay'), mode: 'live', provider, source } as const;
      const now = world.clock.now();
      const money = totalOf(UNKNOWN_REFERENCE, 800_000);
      const entry = { ...kept, money, state: 'open', askedAt: now, recordedAt: now, tries: 0 } as const;
      await world.deps.unmatched.save(entry, undefined);
      return kept.id;
    };
    const twice = assignPayment(world.deps, { paymentId: await restoreEntry(), to: other.reference, who: 'bisi' });
    await expect(twice).rejects.toThrow(`has landed on ${reference}, whose it is.`);
    expect(await fetchCheckout(other.reference)).toMatchObject({ status: 'pending', paid_amount: 0 });
    await assignPayment(world.deps, { paymentId: await restoreEntry(), to: reference, who: 'bisi' });
    await expectOnlyOn(reference, 800_000);
  });

  test('that is assigned to two checkouts at once lands on exactly one', async () => {
    await payUnknown(ASKED);
    const [kept] = await unmatched(world);
    const [one, other] = [await merchant.checkout(provider), await merchant.checkout(provider)];
    const assignTo = (to: string) => assignPayment(world.deps, { paymentId: kept?.id ?? '', to, who: 'bisi' });
    const outcomes = await Promise.allSettled([assignTo(one.reference), assignTo(other.reference)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const [winner, loser] = outcomes[0]?.status === 'fulfilled' ? [one, other] : [other, one];
    await expectOnlyOn(winner.reference, ASKED);
    expect(await fetchCheckout(loser.reference)).toMatchObject({ status: 'pending', paid_amount: 0, version: 1 });
  });
});

describeAtProviders('a paid checkout at %s', (provider) => {
  test('is looked up once, with or without a notification', async () => {
    const [notified, silent] = [await merchant.checkout(provider), await merchant.checkout(provider)];
    const lookUps = countCalls(world.twin, provider, LOOK_UP[provider]);
    await world.twin.pay({ provider, accountNumber: notified.account_number, amount: ASKED });
    await world.twin.settled();
    world.twin.notifyAt(provider, null);
    await world.twin.pay({ provider, accountNumber: silent.account_number, amount: ASKED });
    expect(lookUps()).toBe(1);
    // All recent reconciliations that list the payment, and two weekly ones.
    await minutesPass(world, 140, 20);
    await minutesPass(world, 48 * 60, 24 * 60);
    expect(lookUps()).toBe(2);
    for (const { reference } of [notified, silent])
      expect(await eventTypesOf(world, reference)).toEqual(['checkout.paid']);
    await expectBooksToAgree(world);
  });
});

import { settleOpeningCheckout } from '#shared/checkouts/use-cases/settle-opening-checkout.ts';
import { landMoney } from '#shared/payments/use-cases/land-money.ts';
import type { Kobo } from '#shared/platform/kernel/money.ts';
import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import type { LiveProvider } from '#shared/providers/ports.ts';
import { longTest, testRows } from '#test/support/jest/long.ts';
import { ASKED, merchant, OVER, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { LIST } from '#test/support/worlds/provider-calls.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';
import { makeCumulativeReport } from '#test/support/worlds/reports.ts';

openWorldForEachTest();

/* Cumulative reports fall if the provider returns all or part of money that counted. */

const REVERSED = ['checkout.paid', 'checkout.payment_reversed'];

describe('an overpayment that Korapay accepts before it returns the excess', () => {
  const provider = 'korapay';
  /** Opens a checkout of ₦8,500 and pays ₦9,000. */
  const overpay = () => {
    world.simulator.prefer(provider, { over: 'accept_all' });
    return merchant.paidCheckout(provider, OVER);
  };
  const overpayAndCount = async () => {
    const paid = await overpay();
    expect(await merchant.fetch(paid.reference)).toMatchObject({ status: 'paid', paid_amount: 9_000 });
    return paid;
  };

  testRows(['processing', 'success'] as const)(
    'loses the counted excess once; status of the refund: %s',
    async (status) => {
      const { reference, transferId } = await overpayAndCount();
      await world.simulator.returnExcess(transferId, status);
      await world.minutesPass(12, 6);
      expect(await merchant.fetch(reference)).toMatchObject({
        status: 'paid',
        paid_amount: 8_500,
        sender_name: 'Chidi Eze',
      });
      expect(await merchant.paymentsOf(reference)).toEqual(['8500 accepted', '9000 reversed']);
      expect(await world.eventsOf(reference)).toEqual(REVERSED);
      // The refund's completion changes nothing more, and is not announced as a rejection.
      await world.simulator.returnExcess(transferId, 'success');
      await world.minutesPass(24, 12);
      expect(await world.eventsOf(reference)).toEqual(REVERSED);
      await world.expectBooksToAgree();
    },
  );

  longTest('counts the reversed excess again when its refund fails', async () => {
    const { reference, transferId } = await overpayAndCount();
    await world.simulator.returnExcess(transferId, 'processing');
    await world.minutesPass(12, 6);
    await world.simulator.returnExcess(transferId, 'failed');
    await world.minutesPass(12, 6);
    expect(await merchant.paymentsOf(reference)).toEqual(['500 accepted', '8500 accepted', '9000 reversed']);
    expect(await world.eventsOf(reference)).toEqual([...REVERSED, 'checkout.overpaid']);
    await world.expectBooksToAgree();
    // The second refund succeeds.
    await world.simulator.returnExcess(transferId, 'success');
    await world.minutesPass(24, 12);
    expect(await merchant.paymentsOf(reference)).toEqual(['500 reversed', '8500 accepted', '9000 reversed']);
    await world.expectBooksToAgree();
  });

  testRows([
    ['success', 8_500, ['8500 accepted', '500 rejected'], ['checkout.paid', 'checkout.payment_rejected']],
    ['failed', 9_000, ['500 accepted', '8500 accepted'], ['checkout.paid', 'checkout.overpaid']],
  ] as const)(
    'does not count an excess that is under refund before the first report, unless the refund fails; outcome of the refund: %s',
    async (end, paid, payments, events) => {
      const held = await world.holdNotifications(provider);
      const { reference, transferId } = await overpay();
      await world.simulator.returnExcess(transferId, 'processing');
      await held.deliver();
      expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: 8_500 });
      expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
      await world.simulator.returnExcess(transferId, end);
      await world.minutesPass(12, 6);
      expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: paid });
      expect((await merchant.paymentsOf(reference)).toSorted()).toEqual([...payments].toSorted());
      expect(await world.eventsOf(reference)).toEqual(events);
      await world.minutesPass(24, 12);
      expect(await world.eventsOf(reference)).toEqual(events);
      await world.expectBooksToAgree();
    },
  );

  longTest('loses the excess once with three sweepers at once', async () => {
    const { reference, transferId } = await overpayAndCount();
    await world.simulator.returnExcess(transferId, 'success');
    world.clock.advance(11 * MINUTE);
    await Promise.all([world.sweep(), world.sweep(), world.sweep()]);
    await world.minutesPass(12, 6);
    expect(await world.eventsOf(reference)).toEqual(REVERSED);
    await world.expectBooksToAgree();
  });

  longTest('loses the excess within a day if it is returned days after the payment', async () => {
    const { reference, transferId } = await overpayAndCount();
    await world.minutesPass(48 * 60, 12 * 60);
    await world.simulator.returnExcess(transferId, 'success');
    await world.minutesPass(26 * 60, 13 * 60);
    expect(await world.eventsOf(reference)).toEqual(REVERSED);
    await world.expectBooksToAgree();
  });
});

describe('a cumulative report that changes while older look-ups are still unanswered', () => {
  const provider = 'korapay';
  /** Opens a checkout. The answers to its look-ups wait for the test. An answer shows the money that was kept when its look-up began. */
  const begin = async () => {
    const { reference } = await merchant.checkout(provider);
    const answers: (() => void)[] = [];
    let kept = 0;
    const lookUp: LiveProvider['lookUp'] = async () => {
      const money = [makeCumulativeReport(reference, kept)];
      await new Promise<void>((resolve) => {
        answers.push(resolve);
      });
      return { money, state: 'open' };
    };
    const scripted = world.scripted(provider, () => ({ lookUp }));
    /** Starts a look-up; its answer waits for `release`. */
    const ask = async (): Promise<{ readonly answered: Promise<unknown>; readonly release: () => void }> => {
      const before = answers.length;
      const answered = world.lookUp(provider, reference, scripted);
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

  test('keeps its sum after a stale answer from before a payment', async () => {
    const { reference, setKept, ask, lookUp } = await begin();
    setKept(300_000);
    await lookUp();
    const late = await ask();
    setKept(ASKED);
    await lookUp();
    world.clock.advance(10 * MINUTE);
    late.release();
    expect(await late.answered).toBe('stale');
    expect(await world.eventsOf(reference)).toEqual(['checkout.underpaid', 'checkout.paid']);
    await lookUp();
    await world.expectCheckoutSum(reference, ASKED);
  });

  test('keeps its sum after a stale answer from before a fall', async () => {
    const { reference, setKept, ask, lookUp } = await begin();
    setKept(OVER);
    await lookUp();
    const late = await ask();
    world.clock.advance(MINUTE);
    setKept(ASKED);
    await lookUp();
    world.clock.advance(10 * MINUTE);
    late.release();
    expect(await late.answered).toBe('stale');
    expect(await world.eventsOf(reference)).toEqual(REVERSED);
    await world.expectCheckoutSum(reference, ASKED);
  });

  testRows([
    ['oldest first', [0, 1, 2, 3]],
    ['newest first', [3, 2, 1, 0]],
  ])('ends at the kept sum, with each change announced once, if its answers arrive %s', async (_, order) => {
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
    await Promise.all(all.map(({ answered }) => answered));
    // After a stale answer, the next look-up completes the change.
    world.clock.advance(MINUTE);
    await lookUp();
    await world.expectCheckoutSum(reference, ASKED + 120_000);
  });

  longTest('always equals the provider’s sum while money is returned and paid again', async () => {
    const { reference, setKept, lookUp } = await begin();
    for (const kept of [300_000, ASKED, 700_000, 950_000, 120_000, ASKED]) {
      world.clock.advance(MINUTE);
      setKept(kept);
      await lookUp();
      await world.expectCheckoutSum(reference, kept);
    }
    expect(await world.eventsOf(reference)).toEqual([
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
  const kept = makeCumulativeReport(reference, ASKED);
  for (const money of [kept, makeCumulativeReport(reference, 0, ASKED)]) {
    world.clock.advance(MINUTE);
    await landMoney(world.deps, provider, money, { askedAt: world.clock.now() });
  }
  expect(await merchant.fetch(reference)).toMatchObject({ status: 'pending', paid_amount: 0 });
  world.clock.advance(MINUTE);
  // The list shows the total that was recorded and reversed before.
  const row = {
    query: { by: 'our_reference', value: reference },
    origin: { kind: 'part', reference, reached: ASKED as Kobo, falls: 0 },
    isReturned: false,
  } as const;
  const scripted = world.scripted(provider, () => ({
    listPayments: async () => ({ payments: [row], next: null }),
    lookUp: async () => ({ money: [kept], state: 'complete' }),
  }));
  await world.reconcile(provider, scripted);
  expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: 8_500 });
});

describe('a cumulative report that is paid before its checkout is opened', () => {
  const provider = 'korapay';
  /** Pays ₦9,000 to an account whose opening was not confirmed. Returns our reference, Korapay's transfer id and our payment id. */
  const paidBeforeItOpens = async () => {
    world.simulator.prefer(provider, { over: 'accept_all' });
    const { reference, accountNumber } = await merchant.lostCheckout(provider);
    const { transferId } = await world.pay(provider, accountNumber, OVER);
    const [kept] = await world.unmatched();
    expect(kept).toMatchObject({ money: { kept: OVER, payee: { reference } } });
    return { reference, transferId, paymentId: kept?.id ?? '' };
  };
  /** Lets two minutes pass, so that the sweeper opens the checkout. */
  const open = () => world.minutesPass(2);
  const sumsOf = async (...references: string[]): Promise<readonly number[]> =>
    Promise.all(references.map(async (reference) => (await merchant.fetch(reference)).paid_amount));

  test('counts only the kept money when its checkout opens, if it fell without a notification', async () => {
    const { reference, transferId } = await paidBeforeItOpens();
    world.simulator.notifyAt(provider, null);
    await world.simulator.returnExcess(transferId, 'success');
    await open();
    // On a busy machine a call in those minutes may time out. Matching is tried again five minutes after the payment.
    await world.minutesPass(5);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: 8_500 });
    expect(await merchant.paymentsOf(reference)).toEqual(['500 rejected', '8500 accepted']);
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid', 'checkout.payment_rejected']);
    expect(await world.unmatched()).toEqual([]);
    await world.expectBooksToAgree();
  });

  test('lands five minutes after the payment if it cannot be matched when its checkout opens', async () => {
    const { reference } = await paidBeforeItOpens();
    const timeout = new Error('The table did not answer in time.');
    const noList = { ...world.deps.unmatched, newest: () => Promise.reject(timeout) };
    // The unmatched entry's own look-up is due in the same minute, and must not match the entry either.
    const noMatching = { ...noList, findDue: () => Promise.reject(timeout) };
    // A reconciliation is due as well, and must not land the money on the open checkout either.
    world.simulator.fault(provider, { kind: 'server_fault', path: LIST[provider] });
    await world.sweepAfter(MINUTE, { unmatched: noMatching });
    world.simulator.fault(provider, null);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'pending', paid_amount: 0 });
    await world.minutesPass(5);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: 9_000 });
    expect(await world.unmatched()).toEqual([]);
  });

  longTest(
    'never counts and is announced as rejected if it is returned without a notification before its checkout opens',
    async () => {
      const { reference, transferId } = await paidBeforeItOpens();
      world.simulator.notifyAt(provider, null);
      await world.simulator.reverse(provider, transferId);
      await open();
      expect(await merchant.fetch(reference)).toMatchObject({ status: 'pending', paid_amount: 0 });
      // The unmatched entry may be gone before the checkout opens. Then the look-up at expiry finds the return.
      await world.minutesPass(40, 5);
      expect(await world.eventsOf(reference)).toEqual(['checkout.payment_rejected', 'checkout.expired']);
      expect(await world.unmatched()).toEqual([]);
      await world.expectBooksToAgree();
    },
  );

  test('counts only on the checkout it was assigned to, even if its own checkout opens afterwards', async () => {
    const { reference, paymentId } = await paidBeforeItOpens();
    const other = await merchant.checkout(provider);
    await world.assign(paymentId, other.reference);
    await open();
    await world.minutesPass(12, 6);
    expect(await sumsOf(reference, other.reference)).toEqual([0, 9_000]);
  });

  test('lands on the first assigned checkout if a crash interrupted that assignment', async () => {
    const { reference, paymentId } = await paidBeforeItOpens();
    const [other, third] = [await merchant.checkout(provider), await merchant.checkout(provider)];
    const crash = new Error('The process is gone.');
    const record: typeof world.deps.ledger.record = (entry) =>
      entry.payment ? Promise.reject(crash) : world.deps.ledger.record(entry);
    const ledger = { ...world.deps.ledger, record };
    await expect(world.assign(paymentId, other.reference, { ledger })).rejects.toThrow(crash);
    world.clock.advance(MINUTE);
    const noneUnmatched = { ...world.deps.unmatched, newest: async () => [] };
    await settleOpeningCheckout({ ...world.deps, unmatched: noneUnmatched }, reference);
    expect(await sumsOf(reference, other.reference)).toEqual([0, 0]);
    await expect(world.assign(paymentId, third.reference)).rejects.toThrow(
      `has landed on its owner, ${other.reference}.`,
    );
    expect(await sumsOf(reference, other.reference, third.reference)).toEqual([0, 9_000, 0]);
  });

  test('cannot be assigned elsewhere if it landed, even if its unmatched entry is still there', async () => {
    const { reference, paymentId } = await paidBeforeItOpens();
    const other = await merchant.checkout(provider);
    const [entry] = await world.deps.unmatched.newest(1);
    await world.sweepAfter(MINUTE);
    await world.deps.ledger.record({ unmatched: { after: entry } });
    expect(await sumsOf(reference, other.reference)).toEqual([9_000, 0]);
    expect(await world.unmatched()).toHaveLength(1);
    const message = `has landed on its owner, ${reference}. Nothing was recorded on ${other.reference}.`;
    await expect(world.assign(paymentId, other.reference)).rejects.toThrow(message);
    await world.minutesPass(12, 6);
    expect(await world.unmatched()).toEqual([]);
    expect(await sumsOf(reference, other.reference)).toEqual([9_000, 0]);
    expect(await world.eventsOf(other.reference)).toEqual([]);
  });

  testRows(['processing', 'success'] as const)(
    'loses a returned excess on the checkout it was assigned to before its own checkout opened; status of the refund: %s',
    async (status) => {
      const { reference, transferId, paymentId } = await paidBeforeItOpens();
      const other = await merchant.checkout(provider);
      await world.assign(paymentId, other.reference);
      await open();
      await world.simulator.returnExcess(transferId, status);
      await world.minutesPass(12, 6);
      await world.simulator.returnExcess(transferId, 'success');
      await world.minutesPass(12, 6);
      expect(await sumsOf(reference, other.reference)).toEqual([0, 8_500]);
      expect(await world.eventsOf(other.reference)).toEqual(REVERSED);
      expect(await world.eventsOf(reference)).toEqual([]);
    },
  );

  longTest('counts on exactly one checkout if it is assigned while its own checkout opens', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { reference, paymentId } = await paidBeforeItOpens();
      const other = await merchant.checkout(provider);
      world.clock.advance(MINUTE);
      const [assignment] = await Promise.allSettled([world.assign(paymentId, other.reference), world.sweep()]);
      await world.minutesPass(12, 6);
      const sums = await sumsOf(reference, other.reference);
      expect(sums).toEqual(assignment.status === 'fulfilled' ? [0, 9_000] : [9_000, 0]);
      expect(await world.unmatched()).toEqual([]);
    }
  });
});

describe('a cumulative report that an operator assigned', () => {
  const provider = 'korapay';
  /** The reference of a charge that was opened at the provider without us. */
  const UNKNOWN_REFERENCE = 'PAY-NOBODYKNOWSTHISONE00';
  const lookUpOnce = async (): Promise<void> => {
    world.clock.advance(MINUTE);
    await world.lookUp(provider, UNKNOWN_REFERENCE);
  };
  const payUnknown = async (amount: number): Promise<string> => {
    world.simulator.prefer(provider, { over: 'accept_all', under: 'accept_all' });
    const payer = {
      accountName: 'Chidi Eze',
      payerName: null,
      payerEmail: 'chidi.eze@example.com',
      expiresAt: world.clock.now(),
    };
    const charge = { reference: UNKNOWN_REFERENCE, amount: ASKED as Kobo, ...payer };
    const { account } = await world.provider(provider).createPaymentAccount(charge);
    return (await world.pay(provider, account.accountNumber, amount)).transferId;
  };
  const assign = async () => {
    const [kept] = await world.unmatched();
    const { reference } = await merchant.checkout(provider);
    await world.assign(kept?.id ?? '', reference);
    return reference;
  };
  const payAndAssign = async (amount: number) => {
    const transferId = await payUnknown(amount);
    const reference = await assign();
    // Korapay reports this charge as complete. That does not make a checkout of another amount paid.
    const status = amount < ASKED ? 'underpaid' : 'paid';
    expect(await merchant.fetch(reference)).toMatchObject({ status, paid_amount: amount / 100 });
    return { reference, transferId };
  };
  const expectOnlyOn = async (reference: string, sum: number): Promise<void> => {
    expect(await merchant.fetch(reference)).toMatchObject({ paid_amount: sum / 100 });
    const payments = (await world.recorded()).filter(({ outcome }) => outcome === 'accepted');
    expect(payments.reduce((all, { amount }) => all + amount, 0)).toBe(sum);
    expect(await world.unmatched()).toEqual([]);
    expect(world.simulator.books.totalKept()).toBe(sum);
  };

  test('gets reversed on its assigned checkout when reconciliation finds its return', async () => {
    const { reference, transferId } = await payAndAssign(ASKED);
    await world.simulator.reverse(provider, transferId);
    await world.minutesPass(12, 6);
    await expectOnlyOn(reference, 0);
    expect(await world.eventsOf(reference)).toEqual(REVERSED);
  });

  test('falls and rises on its assigned checkout', async () => {
    const { reference, transferId } = await payAndAssign(OVER);
    await world.simulator.returnExcess(transferId, 'processing');
    await lookUpOnce();
    await expectOnlyOn(reference, ASKED);
    await world.simulator.returnExcess(transferId, 'failed');
    await lookUpOnce();
    await expectOnlyOn(reference, OVER);
    await world.simulator.reverse(provider, transferId);
    await lookUpOnce();
    await expectOnlyOn(reference, 0);
  });

  test('grows on its assigned checkout', async () => {
    const { reference } = await payAndAssign(800_000);
    const askedAt = world.clock.now();
    expect(await landMoney(world.deps, provider, makeCumulativeReport(UNKNOWN_REFERENCE, OVER), { askedAt })).toBe(
      'landed',
    );
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: 9_000 });
  });

  test('leaves a checkout of a larger amount underpaid, also after later look-ups', async () => {
    const { reference } = await payAndAssign(50_000);
    await lookUpOnce();
    await world.minutesPass(12, 6);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'underpaid', paid: false, paid_amount: 500 });
    expect(await world.eventsOf(reference)).toEqual(['checkout.underpaid']);
  });

  test('lands only the kept money if it fell while unmatched', async () => {
    const transferId = await payUnknown(OVER);
    await world.simulator.returnExcess(transferId, 'processing');
    await lookUpOnce();
    expect(await world.unmatched()).toMatchObject([{ money: { kept: ASKED } }]);
    const reference = await assign();
    await expectOnlyOn(reference, ASKED);
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
  });

  test('cannot be assigned if it was returned after an operator listed it, and nothing lands', async () => {
    const transferId = await payUnknown(OVER);
    const [listed] = await world.unmatched();
    await world.simulator.reverse(provider, transferId);
    const { reference } = await merchant.checkout(provider);
    await expect(world.assign(listed?.id ?? '', reference)).rejects.toThrow('korapay has returned the money of pay_');
    await expectOnlyOn(reference, 0);
    expect(await world.eventsOf(reference)).toEqual([]);
    expect(
      (await world.deps.ledger.locate(provider, makeCumulativeReport(UNKNOWN_REFERENCE, OVER))).owner,
    ).toBeUndefined();
  });

  test('lands only the kept money if it fell while unmatched without a notification', async () => {
    const transferId = await payUnknown(OVER);
    world.simulator.notifyAt(provider, null);
    await world.simulator.returnExcess(transferId, 'success');
    const reference = await assign();
    await expectOnlyOn(reference, ASKED);
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
  });

  test('cannot be assigned to a second checkout, because it would count twice', async () => {
    const { reference } = await payAndAssign(800_000);
    const other = await merchant.checkout(provider);
    // Restores the unmatched entry. A process of an older release left such an entry if it died before the removal.
    const restoreEntry = async () => {
      const source = { kind: 'cumulative_report', reference: UNKNOWN_REFERENCE } as const;
      const kept = { id: world.deps.newId('pay'), mode: 'live', provider, source } as const;
      const now = world.clock.now();
      const money = makeCumulativeReport(UNKNOWN_REFERENCE, 800_000);
      const entry = { ...kept, money, state: 'open', askedAt: now, recordedAt: now, tries: 0 } as const;
      await world.deps.ledger.record({ unmatched: { after: entry } });
      return kept.id;
    };
    await expect(world.assign(await restoreEntry(), other.reference)).rejects.toThrow(
      `has landed on its owner, ${reference}.`,
    );
    expect(await merchant.fetch(other.reference)).toMatchObject({ status: 'pending', paid_amount: 0 });
    await world.assign(await restoreEntry(), reference);
    await expectOnlyOn(reference, 800_000);
  });

  test('lands on exactly one checkout if it is assigned to two checkouts at once', async () => {
    await payUnknown(ASKED);
    const [kept] = await world.unmatched();
    const [first, second] = [await merchant.checkout(provider), await merchant.checkout(provider)];
    const assignTo = (to: string) => world.assign(kept?.id ?? '', to);
    const outcomes = await Promise.allSettled([assignTo(first.reference), assignTo(second.reference)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const [winner, loser] = outcomes[0]?.status === 'fulfilled' ? [first, second] : [second, first];
    await expectOnlyOn(winner.reference, ASKED);
    expect(await merchant.fetch(loser.reference)).toMatchObject({ status: 'pending', paid_amount: 0, version: 1 });
  });
});

describeAtProviders('a paid checkout at %s', (provider) => {
  longTest('causes one look-up, with or without a notification', async () => {
    const lookUps = world.countLookUps(provider);
    const notified = await merchant.paidCheckout(provider);
    world.simulator.notifyAt(provider, null);
    const silent = await merchant.paidCheckout(provider);
    expect(lookUps()).toBe(1);
    // Time for all recent passes that list the payment, and for two passes over the last seven days.
    await world.minutesPass(140, 20);
    await world.minutesPass(48 * 60, 24 * 60);
    expect(lookUps()).toBe(2);
    for (const { reference } of [notified, silent]) expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
    await world.expectBooksToAgree();
  });
});

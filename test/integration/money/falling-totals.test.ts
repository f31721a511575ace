import type { Kobo } from '#shared/domain/kernel/money.ts';
import { MINUTE, SECOND } from '#shared/domain/kernel/time.ts';
import type { RunningTotal } from '#shared/domain/money/report.ts';
import { OutdatedAnswer } from '#shared/domain/providers/errors.ts';
import type { LiveProvider } from '#shared/ports/providers.ts';
import { settleOpeningCheckout } from '#shared/use-cases/checkouts/settle-opening-checkout.ts';
import { assignPayment } from '#shared/use-cases/money/assign-payment.ts';
import { landMoney } from '#shared/use-cases/money/land-money.ts';
import { lookUpPayment } from '#shared/use-cases/money/look-up-payment.ts';
import { reconcileProvider, sweepDueWork } from '#test/support/worlds/functions.ts';
import { fetchCheckout, merchant, paymentsOf, world } from '#test/support/worlds/live-merchant.ts';
import {
  countCalls,
  eventTypesOf,
  expectBooksToAgree,
  expectCheckoutSum,
  holdNotifications,
  LOOK_UP,
  minutesPass,
  notify,
  PROVIDERS,
  recorded,
  unmatched,
  withScriptedProvider,
} from '#test/support/worlds/live-steps.ts';

/* Money that counted in a running total and went back, wholly or in part. */

/** What a checkout asks for, ₦8,500, and ₦500 more. */
const ASKED = 850_000;
const OVER = 900_000;

/** All that Korapay keeps under a reference. */
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

describe('too much at Korapay, which counts the excess as accepted and sends it back', () => {
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

  test.each(['processing', 'success'] as const)('after it had counted: it is taken out, once; %s', async (status) => {
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
    // The end of what was under way changes nothing more, and is no rejection besides.
    await world.twin.returnExcess(transferId, 'success');
    await minutesPass(world, 24, 12);
    expect(await eventTypesOf(world, reference)).toEqual(REVERSED);
    await expectBooksToAgree(world);
  });

  test('after it had counted, and its way back failed: it counts again', async () => {
    const { reference, transferId } = await counted();
    await world.twin.returnExcess(transferId, 'processing');
    await minutesPass(world, 12, 6);
    await world.twin.returnExcess(transferId, 'failed');
    await minutesPass(world, 12, 6);
    expect(await paymentsOf(reference)).toEqual(['500 accepted', '8500 accepted', '9000 reversed']);
    expect(await eventTypesOf(world, reference)).toEqual([...REVERSED, 'checkout.overpaid']);
    await expectBooksToAgree(world);
    // And once more, until it is done.
    await world.twin.returnExcess(transferId, 'success');
    await minutesPass(world, 24, 12);
    expect(await paymentsOf(reference)).toEqual(['500 reversed', '8500 accepted', '9000 reversed']);
    await expectBooksToAgree(world);
  });

  test.each([
    ['success', 8_500, ['8500 accepted', '500 rejected'], ['checkout.paid', 'checkout.payment_rejected']],
    ['failed', 9_000, ['500 accepted', '8500 accepted'], ['checkout.paid', 'checkout.overpaid']],
  ] as const)('before we heard of it: what is on its way never counts; %s', async (end, paid, payments, events) => {
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
  });

  test('while every sweeper races with two others: once', async () => {
    const { reference, transferId } = await counted();
    await world.twin.returnExcess(transferId, 'success');
    world.clock.advance(11 * MINUTE);
    const sweepOnce = () => sweepDueWork(world.deps, world.clock.now() + 30 * SECOND);
    await Promise.all([sweepOnce(), sweepOnce(), sweepOnce()]);
    await minutesPass(world, 12, 6);
    expect(await eventTypesOf(world, reference)).toEqual(REVERSED);
    await expectBooksToAgree(world);
  });

  test('days after it counted: it is found within a day', async () => {
    const { reference, transferId } = await counted();
    await minutesPass(world, 48 * 60, 12 * 60);
    await world.twin.returnExcess(transferId, 'success');
    await minutesPass(world, 26 * 60, 13 * 60);
    expect(await eventTypesOf(world, reference)).toEqual(REVERSED);
    await expectBooksToAgree(world);
  });
});

describe('a running total that falls while others are heard', () => {
  const provider = 'korapay';
  /** A checkout, and look-ups of it whose answer comes when it is let go; what it tells is what was kept when it was asked for. */
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
    /** Asks now; the answer waits until it is let go. */
    const ask = async (): Promise<{ readonly answered: Promise<unknown>; readonly letGo: () => void }> => {
      const before = answers.length;
      const answered = lookUpPayment(deps, provider, asked, { by: 'our_reference', value: reference });
      // Who fails is looked at by the test, later.
      answered.catch(() => {});
      while (answers.length === before) await new Promise((resolve) => setImmediate(resolve));
      return { answered, letGo: () => answers[before]?.() };
    };
    return {
      reference,
      ask,
      /** From now on the provider keeps so much. */
      keep: (amount: number): void => {
        kept = amount;
      },
      hear: async (): Promise<void> => {
        const { answered, letGo } = await ask();
        letGo();
        await answered;
      },
    };
  };

  test('an answer from before a payment lowers nothing, however late it is heard, and is asked for again', async () => {
    const { reference, keep, ask, hear } = await begin();
    keep(300_000);
    await hear();
    const late = await ask();
    keep(ASKED);
    await hear();
    world.clock.advance(10 * MINUTE);
    late.letGo();
    await expect(late.answered).rejects.toThrow(OutdatedAnswer);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.underpaid', 'checkout.paid']);
    await hear();
    await expectCheckoutSum(world, reference, ASKED);
  });

  test('an answer from before the fall raises nothing, however late it is heard', async () => {
    const { reference, keep, ask, hear } = await begin();
    keep(OVER);
    await hear();
    const late = await ask();
    world.clock.advance(MINUTE);
    keep(ASKED);
    await hear();
    world.clock.advance(10 * MINUTE);
    late.letGo();
    await expect(late.answered).rejects.toThrow(OutdatedAnswer);
    expect(await eventTypesOf(world, reference)).toEqual(REVERSED);
    await expectCheckoutSum(world, reference, ASKED);
  });

  test.each([
    ['the fall first', [0, 1, 2, 3]],
    ['the payment first', [3, 2, 1, 0]],
  ])('and a new payment comes, %s: it comes to what is kept, and each change is told once', async (_, order) => {
    const { reference, keep, ask, hear } = await begin();
    keep(OVER);
    await hear();
    world.clock.advance(2 * MINUTE);
    const all: Awaited<ReturnType<typeof ask>>[] = [];
    for (const kept of [ASKED, ASKED, ASKED + 120_000, ASKED + 120_000]) {
      keep(kept);
      all.push(await ask());
      world.clock.advance(SECOND);
    }
    for (const at of order) all[at]?.letGo();
    for (const outcome of await Promise.allSettled(all.map(({ answered }) => answered))) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(OutdatedAnswer);
    }
    // Whoever contradicted what counts asks again.
    world.clock.advance(MINUTE);
    await hear();
    await expectCheckoutSum(world, reference, ASKED + 120_000);
  });

  test('a part goes back, then more is paid, then all goes back: the sum is the provider’s each time', async () => {
    const { reference, keep, hear } = await begin();
    for (const kept of [300_000, ASKED, 700_000, 950_000, 120_000, ASKED]) {
      world.clock.advance(MINUTE);
      keep(kept);
      await hear();
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

test('the same amount again after all of it went back, without a notification: reconciliation finds it', async () => {
  const provider = 'monnify';
  const { reference } = await merchant.checkout(provider);
  const kept = totalOf(reference, ASKED);
  for (const money of [kept, { ...kept, kept: kept.returned, returned: kept.kept }]) {
    world.clock.advance(MINUTE);
    await landMoney(world.deps, provider, money, { askedAt: world.clock.now() });
  }
  expect(await fetchCheckout(reference)).toMatchObject({ status: 'pending', paid_amount: 0 });
  world.clock.advance(MINUTE);
  // The list tells the total that was recorded, and taken back.
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

describe('a running total whose checkout is not open yet', () => {
  const provider = 'korapay';
  /** Paid ₦9,000 while nobody knows whether its account was opened: its reference, and Korapay's id of the transfer. */
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
  /** What is due, in two minutes' time: the checkout opens. */
  const open = () => minutesPass(world, 2);
  const assign = (paymentId: string, to: string, deps = world.deps) =>
    assignPayment(deps, { paymentId, to, who: 'bisi' });
  const sumsOf = async (...references: string[]): Promise<readonly number[]> =>
    Promise.all(references.map(async (reference) => (await fetchCheckout(reference)).paid_amount));

  test('falls without a word, and then it opens: only what is kept counts', async () => {
    const { reference, transferId } = await paidBeforeItOpens();
    world.twin.notifyAt(provider, null);
    await world.twin.returnExcess(transferId, 'success');
    await open();
    // On a busy machine a call of that minute may time out: the money is matched again five minutes after it came.
    await minutesPass(world, 5);
    expect(await fetchCheckout(reference)).toMatchObject({ status: 'paid', paid_amount: 8_500 });
    expect(await paymentsOf(reference)).toEqual(['500 rejected', '8500 accepted']);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.paid', 'checkout.payment_rejected']);
    expect(await unmatched(world)).toEqual([]);
    await expectBooksToAgree(world);
  });

  test('could not be matched when it opened: it lands with the next try, five minutes after it came', async () => {
    const { reference } = await paidBeforeItOpens();
    const timeout = new Error('The table did not answer in time.');
    const unlisted = { ...world.deps.unmatched, newest: () => Promise.reject(timeout) };
    // The look-up of the entry itself is due in the same minute, and may come before the checkout is there.
    const unseen = { ...unlisted, findDue: () => Promise.reject(timeout) };
    world.clock.advance(MINUTE);
    await sweepDueWork({ ...world.deps, unmatched: unseen }, world.clock.now() + 30 * SECOND);
    expect(await fetchCheckout(reference)).toMatchObject({ status: 'pending', paid_amount: 0 });
    await minutesPass(world, 5);
    expect(await fetchCheckout(reference)).toMatchObject({ status: 'paid', paid_amount: 9_000 });
    expect(await unmatched(world)).toEqual([]);
  });

  test('goes back without a word, and then it opens: it is told as sent back, and never counts', async () => {
    const { reference, transferId } = await paidBeforeItOpens();
    world.twin.notifyAt(provider, null);
    await world.twin.reverse(provider, transferId);
    await open();
    expect(await fetchCheckout(reference)).toMatchObject({ status: 'pending', paid_amount: 0 });
    // Its entry may be gone before the checkout is there: the look-up at its expiry tells of it then.
    await minutesPass(world, 40, 5);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.payment_rejected', 'checkout.expired']);
    expect(await unmatched(world)).toEqual([]);
    await expectBooksToAgree(world);
  });

  test('lands where it was assigned, although its own checkout opens then', async () => {
    const { reference, paymentId } = await paidBeforeItOpens();
    const other = await merchant.checkout(provider);
    await assign(paymentId, other.reference);
    await open();
    await minutesPass(world, 12, 6);
    expect(await sumsOf(reference, other.reference)).toEqual([0, 9_000]);
  });

  test('was assigned, and we crashed before it landed, and its own checkout opened: assigning it again ends it', async () => {
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
    const noneWaiting = { ...world.deps.unmatched, newest: async () => [] };
    await settleOpeningCheckout({ ...world.deps, unmatched: noneWaiting }, reference);
    expect(await sumsOf(reference, other.reference)).toEqual([0, 0]);
    await expect(assign(paymentId, third.reference)).rejects.toThrow(`has landed on ${other.reference}, whose it is.`);
    expect(await sumsOf(reference, other.reference, third.reference)).toEqual([0, 9_000, 0]);
  });

  test('landed on its own checkout, and we crashed before its entry was gone: it is not assigned besides', async () => {
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
    'was assigned, its own checkout opened, and the excess goes back: it falls where it was assigned; %s',
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

  test('is assigned while its own checkout opens: it counts on one of the two', async () => {
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

describe('a running total that operations assigned', () => {
  const provider = 'korapay';
  /** A charge that was made past us, under a reference of nobody. */
  const NOBODY = 'PAY-NOBODYKNOWSTHISONE00';
  const look = async (): Promise<void> => {
    world.clock.advance(MINUTE);
    const asked = world.deps.liveProviders(provider) as LiveProvider;
    await lookUpPayment(world.deps, provider, asked, { by: 'our_reference', value: NOBODY });
  };
  const arrived = async (amount: number) => {
    world.twin.prefer(provider, { over: 'accept_all', under: 'accept_all' });
    const payer = { accountName: 'Chidi Eze', payerEmail: 'chidi.eze@example.com', expiresAt: world.clock.now() };
    const wanted = { reference: NOBODY, amount: ASKED as Kobo, ...payer };
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
    const transferId = await arrived(amount);
    const reference = await assign();
    // Korapay calls its own charge complete: that says nothing of a checkout that asks for another amount.
    const status = amount < ASKED ? 'underpaid' : 'paid';
    expect(await fetchCheckout(reference)).toMatchObject({ status, paid_amount: amount / 100 });
    return { reference, transferId };
  };
  const expectOwner = async (reference: string, sum: number): Promise<void> => {
    expect(await fetchCheckout(reference)).toMatchObject({ paid_amount: sum / 100 });
    const payments = (await recorded(world)).filter(({ outcome }) => outcome === 'accepted');
    expect(payments.reduce((all, { amount }) => all + amount, 0)).toBe(sum);
    expect(await unmatched(world)).toEqual([]);
    expect(world.twin.books.kept()).toBe(sum);
  };

  test('is taken back where it was assigned, by reconciliation too', async () => {
    const { reference, transferId } = await assigned(ASKED);
    await world.twin.reverse(provider, transferId);
    await minutesPass(world, 12, 6);
    await expectOwner(reference, 0);
    expect(await eventTypesOf(world, reference)).toEqual(REVERSED);
  });

  test('falls where it was assigned', async () => {
    const { reference, transferId } = await assigned(OVER);
    await world.twin.returnExcess(transferId, 'processing');
    await look();
    await expectOwner(reference, ASKED);
    await world.twin.returnExcess(transferId, 'failed');
    await look();
    await expectOwner(reference, OVER);
    await world.twin.reverse(provider, transferId);
    await look();
    await expectOwner(reference, 0);
  });

  test('grows where it was assigned, and nowhere else', async () => {
    const { reference } = await assigned(800_000);
    const askedAt = world.clock.now();
    expect(await landMoney(world.deps, provider, totalOf(NOBODY, OVER), { askedAt })).toBe('landed');
    expect(await fetchCheckout(reference)).toMatchObject({ status: 'paid', paid_amount: 9_000 });
  });

  test('below what the checkout asks for leaves it underpaid, after later look-ups too', async () => {
    const { reference } = await assigned(50_000);
    await look();
    await minutesPass(world, 12, 6);
    expect(await fetchCheckout(reference)).toMatchObject({ status: 'underpaid', paid: false, paid_amount: 500 });
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.underpaid']);
  });

  test('fell while it was unmatched: what is kept lands, and nothing of before', async () => {
    const transferId = await arrived(OVER);
    await world.twin.returnExcess(transferId, 'processing');
    await look();
    expect(await unmatched(world)).toMatchObject([{ money: { kept: ASKED } }]);
    const reference = await assign();
    await expectOwner(reference, ASKED);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.paid']);
  });

  test('went back while it was unmatched, after an operator had listed it: nothing lands', async () => {
    const transferId = await arrived(OVER);
    const [listed] = await unmatched(world);
    await world.twin.reverse(provider, transferId);
    const { reference } = await merchant.checkout(provider);
    const assign = () => assignPayment(world.deps, { paymentId: listed?.id ?? '', to: reference, who: 'bisi' });
    await expect(assign()).rejects.toThrow('korapay has sent the money of pay_');
    await expectOwner(reference, 0);
    expect(await eventTypesOf(world, reference)).toEqual([]);
    expect((await world.deps.ledger.locate(provider, totalOf(NOBODY, OVER))).owner).toBeUndefined();
  });

  test('fell while it was unmatched, without a word: what is kept lands', async () => {
    const transferId = await arrived(OVER);
    world.twin.notifyAt(provider, null);
    await world.twin.returnExcess(transferId, 'success');
    const reference = await assign();
    await expectOwner(reference, ASKED);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.paid']);
  });

  test('is not assigned to two checkouts: it would count twice', async () => {
    const { reference } = await assigned(800_000);
    const other = await merchant.checkout(provider);
    // As if we had crashed before its entry was gone.
    const keepAgain = async () => {
      const source = { kind: 'running_total', reference: NOBODY } as const;
      const kept = { id: world.deps.newId('pay'), mode: 'live', provider, source } as const;
      const now = world.clock.now();
      const money = totalOf(NOBODY, 800_000);
      await world.deps.unmatched.keep({ ...kept, money, state: 'open', askedAt: now, recordedAt: now, tries: 0 });
      return kept.id;
    };
    const twice = assignPayment(world.deps, { paymentId: await keepAgain(), to: other.reference, who: 'bisi' });
    await expect(twice).rejects.toThrow(`has landed on ${reference}, whose it is.`);
    expect(await fetchCheckout(other.reference)).toMatchObject({ status: 'pending', paid_amount: 0 });
    await assignPayment(world.deps, { paymentId: await keepAgain(), to: reference, who: 'bisi' });
    await expectOwner(reference, 800_000);
  });

  test('is assigned to two checkouts at once: it lands on one of them', async () => {
    await arrived(ASKED);
    const [kept] = await unmatched(world);
    const [one, other] = [await merchant.checkout(provider), await merchant.checkout(provider)];
    const assignTo = (to: string) => assignPayment(world.deps, { paymentId: kept?.id ?? '', to, who: 'bisi' });
    const outcomes = await Promise.allSettled([assignTo(one.reference), assignTo(other.reference)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const [winner, loser] = outcomes[0]?.status === 'fulfilled' ? [one, other] : [other, one];
    await expectOwner(winner.reference, ASKED);
    expect(await fetchCheckout(loser.reference)).toMatchObject({ status: 'pending', paid_amount: 0, version: 1 });
  });
});

test.each(PROVIDERS)(
  'a checkout at %s that is paid is looked up once, whether its notification came or not',
  async (provider) => {
    const [told, silent] = [await merchant.checkout(provider), await merchant.checkout(provider)];
    const lookUps = countCalls(world.twin, provider, LOOK_UP[provider]);
    await world.twin.pay({ provider, accountNumber: told.account_number, amount: ASKED });
    await world.twin.settled();
    world.twin.notifyAt(provider, null);
    await world.twin.pay({ provider, accountNumber: silent.account_number, amount: ASKED });
    expect(lookUps()).toBe(1);
    // Every pass that looks back at it, and two of the week.
    await minutesPass(world, 140, 20);
    await minutesPass(world, 48 * 60, 24 * 60);
    expect(lookUps()).toBe(2);
    for (const { reference } of [told, silent]) expect(await eventTypesOf(world, reference)).toEqual(['checkout.paid']);
    await expectBooksToAgree(world);
  },
);

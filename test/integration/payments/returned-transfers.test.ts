import { landMoney } from '#shared/payments/use-cases/land-money.ts';
import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { ProviderError } from '#shared/providers/domain/errors.ts';
import type { PaymentReport, ReportedMoney, ReportedTransfer } from '#shared/providers/domain/report.ts';
import type { LiveProvider } from '#shared/providers/ports.ts';
import { describeRows, isFirst, longTest, testRows } from '#test/support/jest/long.ts';
import { createBarrier, createGate } from '#test/support/worlds/live-faults.ts';
import { ASKED, merchant, OVER, openWorldForEachTest, UNDER, world } from '#test/support/worlds/live-merchant.ts';
import type { LiveWorld } from '#test/support/worlds/live-world.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';
import { makeCumulativeReport, makeRejection, makeTransfer } from '#test/support/worlds/reports.ts';
import { reconcileAt } from '#test/support/worlds/scene-provider.ts';

openWorldForEachTest();

/* Returned money does not count, and is announced once, in any order of the reports. */

type Deps = LiveWorld['deps'];

const REJECTED = 'checkout.payment_rejected';
const REVERSED = ['checkout.paid', 'checkout.payment_reversed'];
const transferTo = (reference: string, outcome: ReportedTransfer['outcome']): ReportedTransfer =>
  makeTransfer(reference, ASKED, outcome);

test('a return that is reported again while its first report lands is recorded once', async () => {
  const provider = 'paystack';
  const { reference } = await merchant.checkout(provider);
  const land = (outcome: ReportedTransfer['outcome'], deps = world.deps) => {
    world.clock.advance(MINUTE);
    return landMoney(deps, provider, transferTo(reference, outcome), { askedAt: world.clock.now() });
  };
  await land('accepted');
  let calls = 0;
  const locate: typeof world.deps.ledger.locate = async (...args) => {
    const located = await world.deps.ledger.locate(...args);
    calls += 1;
    // The other report lands between the reads of the payment and of the checkout.
    if (calls === 1) await land('reversed');
    return located;
  };
  const overtaken = { ...world.deps, ledger: { ...world.deps.ledger, locate } };
  expect(await land('reversed', overtaken)).toBe('landed');
  expect(await world.eventsOf(reference)).toEqual(REVERSED);
  await world.expectCheckoutSum(reference, 0);
});

describe('a full return at Korapay that only the amounts of a successful charge show', () => {
  const provider = 'korapay';
  beforeEach(() => {
    world.simulator.prefer(provider, { over: 'accept_all', reversalBy: 'amounts' });
  });

  testRows([ASKED, OVER])('reverses once the %i kobo that had counted', async (amount) => {
    const { reference, transferId } = await merchant.paidCheckout(provider, amount);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: amount / 100 });
    await world.simulator.reverse(provider, transferId);
    world.clock.advance(MINUTE);
    await world.lookUp(provider, reference);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'pending', paid_amount: 0 });
    await world.minutesPass(12, 6);
    await world.lookUp(provider, reference);
    expect(await world.eventsOf(reference)).toEqual(REVERSED);
    await world.expectBooksToAgree();
  });

  test('reverses an overpayment without a notification', async () => {
    const { reference, transferId } = await merchant.paidCheckout(provider, OVER);
    await world.simulator.reverse(provider, transferId);
    await world.minutesPass(12, 6);
    expect(await world.eventsOf(reference)).toEqual(REVERSED);
    await world.expectBooksToAgree();
  });

  test('gets announced as rejected, once, if it came before the report of the payment', async () => {
    const held = await world.holdNotifications(provider);
    const { reference, transferId } = await merchant.paidCheckout(provider);
    await world.simulator.reverse(provider, transferId);
    await held.deliver();
    world.clock.advance(MINUTE);
    await world.lookUp(provider, reference);
    expect(await merchant.paymentsOf(reference)).toEqual(['8500 rejected']);
    expect(await world.eventsOf(reference)).toEqual([REJECTED]);
    await world.expectBooksToAgree();
  });
});

describe('Korapay’s full returns of two wrong amounts', () => {
  const provider = 'korapay';
  const payBoth = async (between: () => Promise<void>) => {
    world.simulator.prefer(provider, { over: 'return_all', under: 'return_all' });
    const { reference, accountNumber } = await merchant.checkout(provider);
    await world.simulator.pay({ provider, accountNumber, amount: OVER });
    await between();
    // Then Korapay's look-up shows only the return of this payment.
    await world.simulator.pay({ provider, accountNumber, amount: UNDER });
    await world.minutesPass(12, 6);
    return { reference, accountNumber };
  };

  longTest('get two events if each return was looked up, and the right amount afterwards counts', async () => {
    const { reference, accountNumber } = await payBoth(() => world.minutesPass(12, 6));
    expect(await merchant.paymentsOf(reference)).toEqual(['8000 rejected', '9000 rejected']);
    await world.pay(provider, accountNumber, ASKED);
    await world.minutesPass(2);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: 8_500 });
    expect(await world.eventsOf(reference)).toEqual([REJECTED, REJECTED, 'checkout.paid']);
    await world.expectBooksToAgree();
  });

  test('get one event if the first return was never looked up', async () => {
    const { reference } = await payBoth(async () => {});
    expect(await merchant.paymentsOf(reference)).toEqual(['17000 rejected']);
    await world.minutesPass(12, 6);
    expect(await world.eventsOf(reference)).toEqual([REJECTED]);
  });
});

/** Makes each of two landings wait until both have found the owner. */
const locatingTogether = (deps: Deps): Deps => {
  const pass = createBarrier(2);
  const locate: Deps['ledger']['locate'] = async (...args) => {
    const located = await deps.ledger.locate(...args);
    await pass();
    return located;
  };
  return { ...deps, ledger: { ...deps.ledger, locate } };
};

/** Makes a landing wait for `release` before it writes. */
const heldAtWrite = (deps: Deps) => {
  const [decided, released] = [createGate(), createGate()];
  const wait = (): Promise<void> => {
    decided.open();
    return released.opened;
  };
  const record: Deps['ledger']['record'] = async (entry) => {
    await wait();
    return deps.ledger.record(entry);
  };
  const held = { ...deps, ledger: { ...deps.ledger, record } };
  return { deps: held, reached: decided.opened, release: released.open };
};

const FIRST = ['the payment', 'the reversal', 'neither'] as const;
type First = (typeof FIRST)[number];
type Landing = (deps: Deps) => Promise<unknown>;
/** Lands a payment and its reversal. Each landing is decided before the other is recorded. `first` names the landing that is recorded first. */
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
    const held = await world.holdNotifications(provider);
    const { transferId } = await world.pay(provider, accountNumber, ASKED);
    const [sent] = await held.held();
    const real = world.provider(provider);
    const [query] = real.read(Buffer.from(sent?.body ?? '')).queries;
    if (!query) throw new Error('The notification asks for nothing.');
    const askedAt = world.clock.now();
    const before = await real.lookUp(query);
    await world.simulator.reverse(provider, transferId);
    world.clock.advance(SECOND);
    const after = await real.lookUp(query);
    const landing = (report: PaymentReport | 'unknown', at: number) => async (deps: Deps) => {
      const { money: reported, state } = report as PaymentReport;
      for (const money of reported) await landMoney(deps, provider, money, { state, askedAt: at });
    };
    await landInterleaved(first, landing(before, askedAt), landing(after, world.clock.now()));
    // A cumulative report that falls soon after it grew is looked up again. A single transfer is certain.
    if (owner === 'checkout' && provider !== 'paystack') await world.minutesPass(12, 1);
  };

  testRows(FIRST)('takes effect on a checkout; recorded first: %s', async (first) => {
    const { reference, accountNumber } = await merchant.checkout(provider);
    await race(accountNumber, first, 'checkout');
    expect(await merchant.fetch(reference)).toMatchObject({ paid_amount: 0 });
    const allowed = {
      'the reversal': [[REJECTED]],
      'the payment': [REVERSED],
      neither: [[REJECTED], REVERSED],
    }[first];
    expect(allowed).toContainEqual(await world.eventsOf(reference));
    await world.expectBooksToAgree();
  });

  testRows(FIRST)('takes effect on a virtual account; recorded first: %s', async (first) => {
    const { id, accountNumber } = await merchant.account(provider);
    await race(accountNumber, first, 'account');
    const reversed = ['virtual_account.payment_received', 'virtual_account.payment_reversed'];
    const allowed = { 'the reversal': [[]], 'the payment': [reversed], neither: [[], reversed] }[first];
    expect(allowed).toContainEqual((await world.eventsOf(id)).toSorted());
    const outcomes = (await world.recorded()).map(({ outcome }) => outcome);
    expect(outcomes).toHaveLength(1);
    expect(outcomes).not.toContain('accepted');
    await world.expectBooksToAgree();
  });
});

describe('money that was returned while unmatched', () => {
  const provider = 'korapay';
  /** Makes the first `times` landings find no owner. */
  const withoutOwner = (deps: Deps, times: number): Deps => {
    let left = times;
    const locate: Deps['ledger']['locate'] = async (...args) => {
      left -= 1;
      const located = await deps.ledger.locate(...args);
      return left < 0 ? located : { ...located, tenant: undefined, owner: undefined };
    };
    return { ...deps, ledger: { ...deps.ledger, locate } };
  };
  longTest('gets announced once and never counts if the return is reported before the acceptance', async () => {
    const { reference } = await merchant.checkout(provider);
    const early = withoutOwner(world.deps, 2);
    for (const outcome of ['reversed', 'accepted'] as const) {
      expect(await landMoney(early, provider, transferTo(reference, outcome))).toBe('unmatched');
    }
    expect(await world.unmatched()).toEqual([]);
    expect(await world.eventsOf(reference)).toEqual([]);
    await world.minutesPass(1);
    expect(await merchant.paymentsOf(reference)).toEqual(['8500 rejected']);
    for (const outcome of ['accepted', 'reversed'] as const) {
      await landMoney(world.deps, provider, transferTo(reference, outcome));
    }
    await world.minutesPass(70, 10);
    expect(await world.eventsOf(reference)).toEqual([REJECTED, 'checkout.expired']);
    expect(await merchant.fetch(reference)).toMatchObject({ paid_amount: 0 });
  });

  test('gets announced as rejected when an older report of its acceptance finds the owner', async () => {
    const { reference } = await merchant.checkout(provider);
    await landMoney(withoutOwner(world.deps, 1), provider, transferTo(reference, 'reversed'));
    expect(await landMoney(world.deps, provider, transferTo(reference, 'accepted'))).toBe('landed');
    expect(await merchant.paymentsOf(reference)).toEqual(['8500 rejected']);
    expect(await world.eventsOf(reference)).toEqual([REJECTED]);
  });

  test('gets announced once if it is a rejection, and accepted money of the same transaction counts', async () => {
    const { reference } = await merchant.checkout(provider);
    const rejection = makeRejection(reference, ASKED);
    expect(await landMoney(withoutOwner(world.deps, 1), provider, rejection)).toBe('unmatched');
    expect(await world.unmatched()).toEqual([]);
    for (let time = 1; time <= 2; time += 1) await landMoney(world.deps, provider, rejection);
    expect(await landMoney(world.deps, provider, transferTo(reference, 'accepted'))).toBe('landed');
    expect(await world.eventsOf(reference)).toEqual([REJECTED, 'checkout.paid']);
    expect((await world.itemsOf('PAY')).filter(({ unmatched: isUnmatched }) => isUnmatched)).toEqual([]);
  });

  test('does not count if the report of its acceptance lands at the same time, in either order', async () => {
    for (const first of ['the payment', 'the reversal'] as const) {
      const { reference } = await merchant.checkout(provider);
      const land = (deps: Deps, outcome: ReportedTransfer['outcome']) =>
        landMoney(deps, provider, { ...transferTo(reference, outcome), transferId: `KPY-${first}` });
      await landInterleaved(
        first,
        (deps) => land(deps, 'accepted'),
        (deps) => land(withoutOwner(deps, 1), 'reversed'),
      );
      expect(await merchant.fetch(reference)).toMatchObject({ status: 'pending', paid_amount: 0 });
      expect(await world.eventsOf(reference)).toEqual(first === 'the payment' ? REVERSED : [REJECTED]);
    }
  });

  test('cannot be assigned, even if an operator has listed it', async () => {
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
    await expect(world.assign(listed[0]?.id ?? '', reference)).rejects.toThrow('There is no unmatched payment');
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'pending', paid_amount: 0, version: 1 });
  });

  test('does not count by an older answer if it was a whole cumulative report', async () => {
    const { reference } = await merchant.checkout(provider);
    const askedAt = world.clock.now();
    world.clock.advance(MINUTE);
    const returned = makeCumulativeReport(reference, 0, ASKED);
    const newer = { askedAt: world.clock.now() };
    expect(await landMoney(withoutOwner(world.deps, 1), provider, returned, newer)).toBe('unmatched');
    const older = makeCumulativeReport(reference, ASKED);
    expect(await landMoney(withoutOwner(world.deps, 1), provider, older, { askedAt })).toBe('unmatched');
    expect(await landMoney(world.deps, provider, older, { askedAt })).toBe('stale');
    expect(await world.unmatched()).toEqual([]);
    expect(await landMoney(world.deps, provider, returned, newer)).toBe('landed');
    expect(await landMoney(world.deps, provider, older, { askedAt })).toBe('stale');
    expect(await world.eventsOf(reference)).toEqual([REJECTED]);
    expect(await world.itemsOf('PAY')).toHaveLength(1);
  });

  longTest(
    'leaves the list of unmatched money if it is a cumulative report that Korapay no longer reports, until it is reported again',
    async () => {
      const unknown = 'PAY-NOBODYKNOWSTHISONE00';
      const kept = makeCumulativeReport(unknown, ASKED);
      let money: readonly ReportedMoney[] = [kept];
      const scripted = world.scripted(provider, () => ({ lookUp: async () => ({ money, state: 'open' }) }));
      const sweepIn = async (minutes: number): Promise<number> => {
        await world.sweepAfter(minutes * MINUTE, scripted);
        return (await world.deps.unmatched.oldest(10)).length;
      };
      await landMoney(world.deps, provider, kept, { askedAt: world.clock.now() });
      expect(await sweepIn(1)).toBe(1);
      money = [];
      expect(await sweepIn(5)).toBe(0);
      money = [kept];
      expect(await sweepIn(60)).toBe(1);
      expect(await world.eventsOf(unknown)).toEqual([]);
    },
  );
});

testRows(['paystack', 'monnify'] as const)(
  'an underpayment that %s rejects before the checkout is written is announced once',
  async (provider) => {
    const { accountNumber } = await merchant.lostCheckout(provider);
    expect((await world.pay(provider, accountNumber, UNDER)).keptAmount).toBe(0);
    await world.minutesPass(8);
    const [opened] = await merchant.listedCheckouts();
    expect(opened.payments).toMatchObject([{ amount: 8_000, outcome: 'rejected' }]);
    await world.pay(provider, accountNumber, ASKED);
    await world.minutesPass(70, 10);
    expect(await world.eventsOf(opened.reference)).toEqual([REJECTED, 'checkout.paid']);
    await world.expectBooksToAgree();
  },
);

longTest.each(['paystack', 'monnify'] as const)(
  'an underpayment that %s rejects hours before the checkout can be written is announced when it opens',
  async (provider) => {
    const { accountNumber } = await merchant.lostCheckout(provider, { expires_in: 86_400 });
    await world.pay(provider, accountNumber, UNDER);
    const lookUp = () => Promise.reject(new ProviderError('The provider refused the request.'));
    const refusing = world.scripted(provider, () => ({ lookUp }));
    await world.minutesPass(10 * 60, 30, refusing);
    expect(await merchant.listedCheckouts()).toEqual([]);
    // Nobody is alerted.
    expect(world.measuredSum('payments_unmatched')).toBe(0);
    const opened = async () => (await merchant.listedCheckouts())[0];
    for (let minutes = 0; minutes < 24 * 60 && !(await opened()); minutes += 5) await world.minutesPass(5, 5);
    expect((await opened()).payments).toMatchObject([{ amount: 8_000, outcome: 'rejected' }]);
    expect(await world.eventsOf((await opened()).reference)).toEqual([REJECTED]);
    expect((await world.itemsOf('PAY')).filter(({ unmatched: isUnmatched }) => isUnmatched)).toEqual([]);
  },
);

longTest(
  'a rejection for a checkout that never opens is kept while the checkout may still open, and then dropped',
  async () => {
    const provider = 'paystack';
    const { reference } = await merchant.lostCheckout(provider, { expires_in: 86_400 });
    expect(await landMoney(world.deps, provider, makeRejection(reference, ASKED))).toBe('unmatched');
    let answer: 'refused' | 'unknown' = 'refused';
    const lookUp: LiveProvider['lookUp'] = async () => {
      if (answer === 'refused') throw new ProviderError('The provider refused the request.');
      return answer;
    };
    const asking = world.scripted(provider, () => ({ lookUp }));
    await world.minutesPass(3 * 60, 15, asking);
    expect(await world.deps.unmatched.newest(10)).toMatchObject([{ money: { kind: 'rejection' } }]);
    answer = 'unknown';
    await world.minutesPass(6 * 60, 15, asking);
    expect(await world.itemsOf('CHK')).toEqual([]);
    expect(await world.deps.unmatched.newest(10)).toEqual([]);
  },
);

describeRows(
  'a wrong amount that Monnify notifies as rejected and shows as reversed; first comes %s',
  ['the rejection', 'the reversal'],
  isFirst,
  (first) => {
    const provider = 'monnify';
    reconcileAt(provider);

    test('gets announced once, and the right amount afterwards counts', async () => {
      const held = await world.holdNotifications(provider);
      const { reference, accountNumber } = await merchant.paidCheckout(provider, UNDER);
      const [sent] = await held.held();
      world.simulator.divert(provider, null);
      const { transactionReference } = JSON.parse(sent?.body ?? '').eventData;
      const money = { ...makeCumulativeReport(reference, 0, UNDER), providerReference: transactionReference };
      const scripted = world.scripted(provider, () => ({ lookUp: async () => ({ money: [money], state: 'open' }) }));
      const reversal = () => world.lookUp(provider, reference, scripted);
      const rejection = () => world.notify(provider, sent ?? { headers: {}, body: '' });
      for (const land of first === 'the rejection' ? [rejection, reversal] : [reversal, rejection]) {
        world.clock.advance(MINUTE);
        await land();
      }
      world.clock.advance(MINUTE);
      await reversal();
      expect(await merchant.paymentsOf(reference)).toEqual(['8000 rejected']);
      expect(await world.eventsOf(reference)).toEqual([REJECTED]);
      // A second rejection of the same amount is announced, and the right amount counts.
      for (const amount of [UNDER, ASKED]) await world.pay(provider, accountNumber, amount);
      await world.minutesPass(12, 6);
      expect((await world.eventsOf(reference)).toSorted()).toEqual(['checkout.paid', REJECTED, REJECTED]);
      await world.expectBooksToAgree();
    });
  },
);

test('a full return that is recorded while an older answer is being written stays recorded', async () => {
  const provider = 'monnify';
  const { reference } = await merchant.checkout(provider);
  const askedAt = world.clock.now();
  world.clock.advance(MINUTE);
  const late = heldAtWrite(world.deps);
  const older = landMoney(late.deps, provider, makeCumulativeReport(reference, ASKED), { askedAt });
  await late.reached;
  // Nothing is announced, because the report has no amount.
  await landMoney(world.deps, provider, makeCumulativeReport(reference, 0), { askedAt: world.clock.now() });
  late.release();
  expect(await older).toBe('stale');
  expect(await merchant.fetch(reference)).toMatchObject({ status: 'pending', paid_amount: 0, version: 1 });
  const scripted = world.scripted(provider, () => ({
    lookUp: async () => ({ money: [makeCumulativeReport(reference, ASKED)], state: 'complete' }),
  }));
  // A new payment counts at once, because nothing that counted was returned.
  await world.lookUp(provider, reference, scripted);
  expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
});

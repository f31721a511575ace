import fc from 'fast-check';
import { applyReport } from '#shared/payments/domain/landing/apply-report.ts';
import type { Payment } from '#shared/payments/domain/payment.ts';
import { HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import type { Refund } from '#shared/providers/domain/refund.ts';
import {
  isReturned,
  type ReportedMoney,
  type ReportedRejection,
  type ReportedTransfer,
} from '#shared/providers/domain/report.ts';
import type { VirtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';
import { activeAccount, BUSINESS, id, NOON, naira, paymentOf } from '#test/unit/api/examples.ts';

const MADE = { id: id('pay', 7), recordedAt: NOON + 5 * MINUTE };
/** Lands money on an account, of which `known` is recorded. */
const landOn = (virtualAccount: VirtualAccount, known: Payment | undefined, money: ReportedMoney, made = MADE) => {
  const owner = { kind: 'virtual_account', business: BUSINESS, virtualAccount } as const;
  const state = { owner, known, affected: [], unmatched: undefined, assigned: undefined, isForeign: false };
  const landing = applyReport(state, { provider: 'monnify', money, state: 'open', askedAt: made.recordedAt }, made);
  if (landing.kind !== 'posted') {
    expect(landing).toEqual({ kind: 'ignored', as: 'landed' });
    return undefined;
  }
  expect(landing).toMatchObject({ as: 'landed', isPartial: false });
  return { ...landing.entries, events: landing.events.map(({ type }) => type) };
};
const transfer = (amount: number, of: Partial<ReportedTransfer> = {}): ReportedTransfer => ({
  kind: 'transfer',
  transferId: 'trf-1',
  providerReference: '1633565152-abc',
  payee: { by: 'our_reference', reference: id('va') },
  outcome: 'accepted',
  amount: naira(amount),
  fee: naira(50),
  paidAt: NOON + 3 * MINUTE,
  senderName: 'EZE CHIDI',
  senderBank: 'GTBank',
  ...of,
});

describe('money for a virtual account', () => {
  const base = activeAccount();
  const ACCOUNTS: readonly (readonly [string, VirtualAccount])[] = [
    ['active', base],
    ['inactive', { ...base, status: 'inactive', deactivatedAt: NOON + HOUR }],
  ];
  const known = (outcome: Payment['outcome']): Payment =>
    paymentOf({
      mode: 'live',
      provider: 'monnify',
      owner: { kind: 'virtual_account', id: base.id },
      origin: { kind: 'transfer', transferId: 'trf-1' },
      outcome,
    });

  describe.each(ACCOUNTS)('that is %s', (_, of) => {
    const on = (outcome: ReportedTransfer['outcome'], before?: Payment) =>
      landOn(of, before, transfer(5_000, { outcome }));

    test('lands in any amount, and is never late', () => {
      expect(landOn(of, undefined, transfer(0.01, { paidAt: NOON + 9 * HOUR }))).toMatchObject({
        events: ['virtual_account.payment_received'],
        payment: {
          ...MADE,
          amount: 1,
          outcome: 'accepted',
          late: false,
          owner: { kind: 'virtual_account', id: base.id },
          origin: { kind: 'transfer', transferId: 'trf-1' },
        },
      });
    });

    test.each([
      ['accepted', 'accepted'],
      ['accepted', 'reversed'],
      ['accepted', 'rejected'],
      ['reversed', 'reversed'],
      ['reversed', 'rejected'],
    ] as const)('%s, while it is recorded as %s: nothing', (outcome, before) => {
      expect(on(outcome, known(before))).toBeUndefined();
    });

    test('of no amount: nothing', () => {
      expect(landOn(of, undefined, transfer(0))).toBeUndefined();
    });

    test('reversed, before it was reported: it is recorded as returned', () => {
      const payment = {
        origin: { kind: 'transfer', transferId: 'trf-1' },
        amount: naira(5_000),
        outcome: 'rejected',
        owner: { id: base.id },
      };
      expect(on('reversed', undefined)).toMatchObject({ events: [], payment });
    });

    test('rejected: it is recorded as returned, beside an accepted payment of the same transaction', () => {
      const { transferId: _transferId, outcome: _outcome, ...rest } = transfer(5_000);
      const rejection = { ...rest, kind: 'rejection', rejectionId: 'session-1' } as const;
      const origin = { kind: 'rejection', transaction: '1633565152-abc', rejectionId: 'session-1' };
      const landing = landOn(of, undefined, rejection);
      expect(landing).toMatchObject({ events: [], payment: { origin, outcome: 'rejected' } });
      expect(landOn(of, landing?.payment, rejection)).toBeUndefined();
    });

    test('reversed, while it is recorded as accepted: it is reversed, with the amount that was recorded', () => {
      const reversed = {
        events: ['virtual_account.payment_reversed'],
        reversed: [{ ...known('accepted'), outcome: 'reversed' }],
      };
      expect(on('reversed', known('accepted'))).toEqual(reversed);
      const other = transfer(4_000, { outcome: 'reversed' });
      expect(landOn(of, known('accepted'), other)).toEqual(reversed);
    });
  });

  describe('a refund that is reported by itself', () => {
    const refundOf = (amount: number) => ({ id: 'rfd-1', amount: naira(amount) });
    const virtualAccount = ACCOUNTS[0]?.[1] as VirtualAccount;
    const owner = { kind: 'virtual_account', business: BUSINESS, virtualAccount } as const;
    const land = (before: Payment, refund: Refund) => {
      const state = { owner, known: before, affected: [], unmatched: undefined, assigned: undefined, isForeign: false };
      const report = { provider: 'monnify', money: transfer(5_000), state: 'open', askedAt: NOON, refund } as const;
      return applyReport(state, report, MADE);
    };

    test('a refund of a part reverses the payment, and the rest is received', () => {
      const refund = refundOf(1_500);
      const reversed = { ...known('accepted'), outcome: 'reversed', refunds: [refund], rest: refund.amount };
      const rest = { amount: naira(3_500), outcome: 'accepted', origin: { kind: 'rest', transferId: 'trf-1' } };
      expect(land(known('accepted'), refund)).toMatchObject({
        entries: { reversed: [reversed], payment: rest },
        events: [
          { type: 'virtual_account.payment_reversed', payment: reversed },
          { type: 'virtual_account.payment_received', payment: rest },
        ],
      });
    });

    test('a refund of the whole reverses the payment, and nothing is received', () => {
      const refund = refundOf(5_000);
      const reversed = { ...known('accepted'), outcome: 'reversed', refunds: [refund] };
      expect(land(known('accepted'), refund)).toEqual({
        kind: 'posted',
        as: 'landed',
        entries: { reversed: [reversed], noted: undefined },
        events: [{ type: 'virtual_account.payment_reversed', payment: reversed }],
        isPartial: false,
      });
    });

    test('a refund of a returned payment is noted, and not announced', () => {
      const before = known('reversed');
      const after = { ...before, refunds: [refundOf(1_500)], isReturnShown: true };
      expect(land(before, refundOf(1_500))).toMatchObject({
        entries: { reversed: [], noted: { before, after } },
        events: [],
      });
    });
  });

  describe('in any order of reports, however often repeated', () => {
    type Report = ReportedTransfer | ReportedRejection;
    const reportedTransfer: fc.Arbitrary<Report> = fc
      .record({
        transferId: fc.constantFrom('trf-1', 'trf-2', 'trf-3'),
        outcome: fc.constantFrom('accepted', 'reversed'),
        kobo: fc.nat({ max: 1_000_000 }),
      })
      .map(({ kobo, ...of }) => transfer(kobo / 100, of));
    const reportedRejection: fc.Arbitrary<Report> = fc
      .record({ rejectionId: fc.constantFrom('session-1', 'session-2'), kobo: fc.nat({ max: 1_000_000 }) })
      .map(({ rejectionId, kobo }) => {
        const { transferId: _transferId, outcome: _outcome, ...rest } = transfer(kobo / 100);
        return { ...rest, kind: 'rejection', rejectionId };
      });
    const reports = fc.array(fc.oneof(reportedTransfer, reportedRejection), { maxLength: 60 });
    const nameOf = (money: Report): string => (money.kind === 'transfer' ? money.transferId : money.rejectionId);

    /** The books of an account on which all of this was reported, one report after the other. */
    const booksAfter = (reported: readonly Report[]) => {
      const recorded = new Map<string, Payment>();
      const announced: string[] = [];
      for (const [i, money] of reported.entries()) {
        const source = nameOf(money);
        const made = { id: id('pay', i), recordedAt: NOON + i * MINUTE };
        for (const again of [false, true]) {
          const landing = landOn(ACCOUNTS[i % 2]?.[1] as VirtualAccount, recorded.get(source), money, made);
          if (again) expect(landing).toBeUndefined();
          if (!landing) continue;
          const [reversed] = landing.reversed ?? [];
          recorded.set(source, (landing.payment ?? reversed) as Payment);
          announced.push(`${source} ${reversed ? 'reversed' : landing.events.length > 0 ? 'received' : 'returned'}`);
        }
      }
      return { recorded, announced };
    };
    /** What the first report of an amount says stands, until money that was kept is returned. */
    const outcomeOf = (reported: readonly Report[]): Payment['outcome'] | undefined => {
      const [first, ...later] = reported.filter(
        ({ amount }, i, all) => amount > 0 || all.slice(0, i).some((one) => one.amount > 0),
      );
      if (!first) return undefined;
      if (isReturned(first)) return 'rejected';
      return later.some(isReturned) ? 'reversed' : 'accepted';
    };

    test('each transfer counts once at most, with the amount that was reported first, and not once it was returned', () => {
      fc.assert(
        fc.property(reports, (reported) => {
          const { recorded, announced } = booksAfter(reported);
          expect(new Set(announced).size).toBe(announced.length);
          for (const [source, theirs] of Map.groupBy(reported, nameOf)) {
            const payment = recorded.get(source);
            expect(payment?.outcome).toBe(outcomeOf(theirs));
            expect(payment?.amount).toBe(theirs.find(({ amount }) => amount > 0)?.amount);
            const kinds = announced.filter((one) => one.startsWith(source)).map((one) => one.split(' ')[1]);
            const expected = { accepted: ['received'], reversed: ['received', 'reversed'], rejected: ['returned'] };
            expect(kinds).toEqual(payment ? expected[payment.outcome] : []);
          }
        }),
      );
    });
  });
});

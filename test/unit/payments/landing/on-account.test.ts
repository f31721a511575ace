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

const CONTEXT = { id: id('pay', 7), recordedAt: NOON + 5 * MINUTE };
/** Lands money on an account. `known`: the payment that is already recorded. */
const landOn = (
  virtualAccount: VirtualAccount,
  known: Payment | undefined,
  money: ReportedMoney,
  context = CONTEXT,
) => {
  const owner = { kind: 'virtual_account', business: BUSINESS, virtualAccount } as const;
  const state = { owner, known, affected: [], unmatched: undefined, assigned: undefined, isForeign: false };
  const landing = applyReport(
    state,
    { provider: 'monnify', money, state: 'open', askedAt: context.recordedAt },
    context,
  );
  if (landing.kind !== 'posted') {
    expect(landing).toEqual({ kind: 'ignored', as: 'landed' });
    return undefined;
  }
  expect(landing).toMatchObject({ as: 'landed', isPartial: false });
  return { ...landing.entries, events: landing.events.map(({ type }) => type) };
};
const transfer = (amount: number, changes: Partial<ReportedTransfer> = {}): ReportedTransfer => ({
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
  ...changes,
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

  describe.each(ACCOUNTS)('reported for an account that is %s', (_, account) => {
    const land = (outcome: ReportedTransfer['outcome'], before?: Payment) =>
      landOn(account, before, transfer(5_000, { outcome }));

    test('lands with any amount, and is never late', () => {
      expect(landOn(account, undefined, transfer(0.01, { paidAt: NOON + 9 * HOUR }))).toMatchObject({
        events: ['virtual_account.payment_received'],
        payment: {
          ...CONTEXT,
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
    ] as const)('changes nothing if it is reported as %s and recorded as %s', (outcome, before) => {
      expect(land(outcome, known(before))).toBeUndefined();
    });

    test('changes nothing if it has no amount', () => {
      expect(landOn(account, undefined, transfer(0))).toBeUndefined();
    });

    test('gets recorded as rejected if it was returned before it was reported', () => {
      const payment = {
        origin: { kind: 'transfer', transferId: 'trf-1' },
        amount: naira(5_000),
        outcome: 'rejected',
        owner: { id: base.id },
      };
      expect(land('reversed', undefined)).toMatchObject({ events: [], payment });
    });

    test('gets recorded as rejected beside an accepted payment of the same transaction', () => {
      const { transferId: _transferId, outcome: _outcome, ...fields } = transfer(5_000);
      const rejection = { ...fields, kind: 'rejection', rejectionId: 'session-1' } as const;
      const origin = { kind: 'rejection', transaction: '1633565152-abc', rejectionId: 'session-1' };
      const landing = landOn(account, undefined, rejection);
      expect(landing).toMatchObject({ events: [], payment: { origin, outcome: 'rejected' } });
      expect(landOn(account, landing?.payment, rejection)).toBeUndefined();
    });

    test('gets reversed with its recorded amount if it was accepted', () => {
      const reversed = {
        events: ['virtual_account.payment_reversed'],
        reversed: [{ ...known('accepted'), outcome: 'reversed' }],
      };
      expect(land('reversed', known('accepted'))).toEqual(reversed);
      const other = transfer(4_000, { outcome: 'reversed' });
      expect(landOn(account, known('accepted'), other)).toEqual(reversed);
    });
  });

  describe('reported as a refund with its own id', () => {
    const refundOf = (amount: number) => ({ id: 'rfd-1', amount: naira(amount) });
    const virtualAccount = ACCOUNTS[0]?.[1] as VirtualAccount;
    const owner = { kind: 'virtual_account', business: BUSINESS, virtualAccount } as const;
    const landRefund = (before: Payment, refund: Refund) => {
      const state = { owner, known: before, affected: [], unmatched: undefined, assigned: undefined, isForeign: false };
      const report = { provider: 'monnify', money: transfer(5_000), state: 'open', askedAt: NOON, refund } as const;
      return applyReport(state, report, CONTEXT);
    };

    test('reverses the payment for a partial refund, and announces the remainder as received', () => {
      const refund = refundOf(1_500);
      const reversed = { ...known('accepted'), outcome: 'reversed', refunds: [refund], rest: refund.amount };
      const remainder = { amount: naira(3_500), outcome: 'accepted', origin: { kind: 'rest', transferId: 'trf-1' } };
      expect(landRefund(known('accepted'), refund)).toMatchObject({
        entries: { reversed: [reversed], payment: remainder },
        events: [
          { type: 'virtual_account.payment_reversed', payment: reversed },
          { type: 'virtual_account.payment_received', payment: remainder },
        ],
      });
    });

    test('reverses the payment for a full refund, and announces no remainder', () => {
      const refund = refundOf(5_000);
      const reversed = { ...known('accepted'), outcome: 'reversed', refunds: [refund] };
      expect(landRefund(known('accepted'), refund)).toEqual({
        kind: 'posted',
        as: 'landed',
        entries: { reversed: [reversed], noteChange: undefined },
        events: [{ type: 'virtual_account.payment_reversed', payment: reversed }],
        isPartial: false,
      });
    });

    test('notes a refund of a returned payment without an event', () => {
      const before = known('reversed');
      const after = { ...before, refunds: [refundOf(1_500)], isReturnShown: true };
      expect(landRefund(before, refundOf(1_500))).toMatchObject({
        entries: { reversed: [], noteChange: { before, after } },
        events: [],
      });
    });
  });

  describe('reported in any order, even repeatedly', () => {
    type Report = ReportedTransfer | ReportedRejection;
    const reportedTransfer: fc.Arbitrary<Report> = fc
      .record({
        transferId: fc.constantFrom('trf-1', 'trf-2', 'trf-3'),
        outcome: fc.constantFrom('accepted', 'reversed'),
        kobo: fc.nat({ max: 1_000_000 }),
      })
      .map(({ kobo, ...changes }) => transfer(kobo / 100, changes));
    const reportedRejection: fc.Arbitrary<Report> = fc
      .record({ rejectionId: fc.constantFrom('session-1', 'session-2'), kobo: fc.nat({ max: 1_000_000 }) })
      .map(({ rejectionId, kobo }) => {
        const { transferId: _transferId, outcome: _outcome, ...fields } = transfer(kobo / 100);
        return { ...fields, kind: 'rejection', rejectionId };
      });
    const reports = fc.array(fc.oneof(reportedTransfer, reportedRejection), { maxLength: 60 });
    const nameOf = (money: Report): string => (money.kind === 'transfer' ? money.transferId : money.rejectionId);

    /** Lands reports on an account one after the other. Returns the payments and events of the account. */
    const booksAfter = (reported: readonly Report[]) => {
      const recorded = new Map<string, Payment>();
      const announced: string[] = [];
      for (const [i, money] of reported.entries()) {
        const source = nameOf(money);
        const context = { id: id('pay', i), recordedAt: NOON + i * MINUTE };
        for (const again of [false, true]) {
          const landing = landOn(ACCOUNTS[i % 2]?.[1] as VirtualAccount, recorded.get(source), money, context);
          if (again) expect(landing).toBeUndefined();
          if (!landing) continue;
          const [reversed] = landing.reversed ?? [];
          recorded.set(source, (landing.payment ?? reversed) as Payment);
          announced.push(`${source} ${reversed ? 'reversed' : landing.events.length > 0 ? 'received' : 'returned'}`);
        }
      }
      return { recorded, announced };
    };
    /** Computes the expected outcome of a transfer: the first report with an amount decides, until kept money is returned. */
    const expectedOutcome = (reported: readonly Report[]): Payment['outcome'] | undefined => {
      const [first, ...later] = reported.filter(
        ({ amount }, i, all) => amount > 0 || all.slice(0, i).some((earlier) => earlier.amount > 0),
      );
      if (!first) return undefined;
      if (isReturned(first)) return 'rejected';
      return later.some(isReturned) ? 'reversed' : 'accepted';
    };

    test('counts at most once for each transfer, with the first reported amount, and not after its return', () => {
      fc.assert(
        fc.property(reports, (reported) => {
          const { recorded, announced } = booksAfter(reported);
          expect(new Set(announced).size).toBe(announced.length);
          for (const [source, reportsOfSource] of Map.groupBy(reported, nameOf)) {
            const payment = recorded.get(source);
            expect(payment?.outcome).toBe(expectedOutcome(reportsOfSource));
            expect(payment?.amount).toBe(reportsOfSource.find(({ amount }) => amount > 0)?.amount);
            const kinds = announced.filter((line) => line.startsWith(source)).map((line) => line.split(' ')[1]);
            const expected = { accepted: ['received'], reversed: ['received', 'reversed'], rejected: ['returned'] };
            expect(kinds).toEqual(payment ? expected[payment.outcome] : []);
          }
        }),
      );
    });
  });
});

import fc from 'fast-check';
import { kobo } from '#shared/platform/kernel/money.ts';
import { HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import { charge } from '#shared/providers/korapay/charge.ts';
import { toReport } from '#shared/providers/korapay/report.ts';
import { chargeView, type KorapayCharge } from '#shared/providers/korapay/simulator/shapes.ts';
import { longerTest, runsOf } from '#test/support/jest/long.ts';
import { NOON, pendingCheckout } from '#test/unit/api/examples.ts';
import { checkoutBooks } from '#test/unit/payments/landing/checkout-books.ts';

/*
 * Random histories of a charge at Korapay: wrong amounts that are returned at once, overpayments whose excess is returned later, and
 * payments that are returned in full; with look-ups that fail, and answers that arrive late, twice or out of order. After each answer
 * the counted amount must be one that Korapay kept at some time; after a last look-up it must be what Korapay keeps. Amounts are kobo.
 */

const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
const ASKED = 791_000_007;
const live = pendingCheckout(
  { mode: 'live', amount: kobo.parse(ASKED) },
  { provider: 'korapay', amountToPay: kobo.parse(ASKED) },
);

/** Korapay's settings, and how it may report what is not documented (providers.md sections 3.4 and 3.6). */
const anyReporting = fc.record({
  over: fc.constantFrom('return_excess' as const, 'return_all' as const, 'accept_all' as const, 'accept_all' as const),
  under: fc.constantFrom('return_all' as const, 'return_all' as const, 'accept_all' as const),
  reversalBy: fc.constantFrom('status' as const, 'amounts' as const),
  /** Whether `reversal` is the sum of all returns or the last one, and whether a returned excess is subtracted from `amount_accepted`. */
  reversalOf: fc.constantFrom('all' as const, 'last' as const),
  acceptedIs: fc.constantFrom('all' as const, 'the rest' as const),
});
type Reporting = typeof anyReporting extends fc.Arbitrary<infer T> ? T : never;

/** What happens in a minute, and when the answer to that minute's look-up arrives. */
const anyMinute = fc.record({
  happens: fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ paid: fc.constantFrom(ASKED, ASKED, ASKED - 329_063, ASKED + 329_063, 1, 2 * ASKED) }),
    },
    {
      weight: 5,
      arbitrary: fc.constantFrom('excess processing' as const, 'excess success' as const, 'excess failed' as const),
    },
    { weight: 1, arbitrary: fc.constant('all returned' as const) },
    { weight: 3, arbitrary: fc.constant('nothing' as const) },
  ),
  /** After how many minutes the answer arrives; twice if there are two, never if there are none. */
  arrivesAfter: fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 2 }),
});
type Minute = typeof anyMinute extends fc.Arbitrary<infer T> ? T : never;

const newCharge = (): KorapayCharge => ({
  reference: REFERENCE,
  paymentReference: 'KPY-PAY-1',
  account: {
    provider: 'korapay',
    kind: 'payment',
    number: '7700000001',
    name: 'Simshop',
    bankName: 'wema',
    bankCode: '035',
    reference: REFERENCE,
    toPay: ASKED,
    expiresAt: NOON + HOUR,
    open: true,
  },
  amount: ASKED,
  expected: ASKED,
  fee: 0,
  vat: 0,
  merchantBearsCost: true,
  customer: { name: null, email: 'chidi.eze@example.com' },
  narration: '',
  notificationUrl: undefined,
  createdAt: NOON,
  parts: [],
  refunds: [],
  succeeded: false,
  reversed: null,
  excess: null,
});

/** Changes the charge as Korapay does (shared/providers/korapay/simulator/provider.ts). */
const happen = (
  of: KorapayCharge,
  { over, under, reversalBy }: Reporting,
  happens: Minute['happens'],
  at: number,
): void => {
  const accepted = of.parts.reduce((sum, one) => sum + one.accepted, 0);
  if (typeof happens === 'object') {
    if (of.succeeded) return;
    const { paid } = happens;
    const kept = {
      less: under === 'accept_all' ? paid : 0,
      more: { return_excess: ASKED, return_all: 0, accept_all: paid }[over],
    }[paid < ASKED ? 'less' : 'more'];
    const incoming = {
      transferId: `trf-${of.parts.length}`,
      amount: paid,
      senderName: null,
      senderBank: null,
      paidAt: at,
    };
    of.parts.push({ incoming, accepted: paid === ASKED ? paid : kept });
    of.succeeded = paid === ASKED || kept > 0;
  } else if (happens === 'all returned') {
    if (accepted > 0) of.reversed = reversalBy;
  } else if (happens !== 'nothing' && accepted > ASKED && !of.reversed && of.excess !== 'success') {
    of.excess = happens.slice('excess '.length) as 'processing' | 'success' | 'failed';
  }
};

const keptOf = ({ parts, reversed, excess }: KorapayCharge): number => {
  if (reversed) return 0;
  return excess && excess !== 'failed' ? ASKED : parts.reduce((sum, { accepted }) => sum + accepted, 0);
};

/** The report that we read from Korapay's answer at this moment. */
const reportAt = (of: KorapayCharge, { reversalOf, acceptedIs }: Reporting, now: number) => {
  const view = chargeView(of, now) as ReturnType<typeof chargeView> & {
    bank_transfer?: { reversal?: { amount: string } };
  };
  const last = of.parts.at(-1)?.incoming.amount ?? 0;
  const reversal = view.bank_transfer?.reversal;
  if (reversal && of.excess && !of.reversed && reversalOf === 'last')
    reversal.amount = ((last - ASKED) / 100).toFixed(2);
  if (of.excess === 'success' && !of.reversed && acceptedIs === 'the rest')
    view.amount_accepted = (ASKED / 100).toFixed(2);
  const query = { by: 'our_reference', value: REFERENCE } as const;
  return toReport({ payment: charge.parse(view), reference: REFERENCE }, query, { now, zonelessDates: 'lagos' });
};

const books = () => {
  const { land: landMoney, now } = checkoutBooks(live);
  return {
    now,
    /** Lands a report as look-up-payment.ts does. */
    land: ({ money, state }: ReturnType<typeof reportAt>, askedAt: number, recordedAt: number): void => {
      for (const one of money) landMoney(one, { askedAt, recordedAt, complete: state === 'complete' });
    },
  };
};

longerTest('the counted amount is always one that Korapay kept at some time, and finally what it keeps', () => {
  fc.assert(
    fc.property(anyReporting, fc.array(anyMinute, { minLength: 1, maxLength: 10 }), (reporting, minutes) => {
      const of = newCharge();
      const { land, now } = books();
      const everKept = new Set([0]);
      const reports = minutes.map(({ happens }, minute) => {
        const at = NOON + minute * MINUTE;
        happen(of, reporting, happens, at);
        everKept.add(keptOf(of));
        return reportAt(of, reporting, at);
      });
      const arrivals = minutes
        .flatMap(({ arrivesAfter }, asked) => arrivesAfter.map((delay) => ({ asked, at: asked + delay })))
        .toSorted((one, other) => one.at - other.at);
      for (const { asked, at } of arrivals) {
        land(reports[asked] as (typeof reports)[number], NOON + asked * MINUTE, NOON + at * MINUTE);
        expect(everKept).toContain(Number(now().paidAmount));
      }
      const last = reportAt(of, reporting, NOON + HOUR - 1);
      land(last, NOON + HOUR, NOON + HOUR);
      expect(now().paidAmount).toBe(keptOf(of));
      const end = now();
      land(last, NOON + 2 * HOUR, NOON + 2 * HOUR);
      expect(now()).toEqual(end);
    }),
    runsOf(1_000),
  );
});

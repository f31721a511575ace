import fc from 'fast-check';
import { kobo } from '#shared/platform/kernel/money.ts';
import { HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import { charge } from '#shared/providers/korapay/charge.ts';
import { toReport } from '#shared/providers/korapay/report.ts';
import { chargeView, type KorapayCharge } from '#shared/providers/korapay/simulator/shapes.ts';
import { longerTest, setRuns } from '#test/support/jest/long.ts';
import { NOON, pendingCheckout } from '#test/unit/api/examples.ts';
import { checkoutBooks } from '#test/unit/payments/landing/checkout-books.ts';

/*
 * Tests random histories of a charge at Korapay: wrong amounts that are returned at once, excesses that are returned later, and full
 * returns; with look-ups that fail, and answers that arrive late, twice or out of order. After each answer
 * the counted amount must be one that Korapay kept at some time. After a last look-up it must be the amount that Korapay keeps. Amounts are in kobo.
 */

const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
const ASKED = 791_000_007;
const live = pendingCheckout(
  { mode: 'live', amount: kobo.parse(ASKED) },
  { provider: 'korapay', amountToPay: kobo.parse(ASKED) },
);

/** Korapay's settings, and its possible behaviour on points that are not documented (providers.md sections 3.4 and 3.6). */
const anyReporting = fc.record({
  over: fc.constantFrom('return_excess' as const, 'return_all' as const, 'accept_all' as const, 'accept_all' as const),
  under: fc.constantFrom('return_all' as const, 'return_all' as const, 'accept_all' as const),
  reversalBy: fc.constantFrom('status' as const, 'amounts' as const),
  /** Whether `reversal` is the sum of all returns or the last return, and whether a returned excess is subtracted from `amount_accepted`. */
  reversalOf: fc.constantFrom('all' as const, 'last' as const),
  acceptedIs: fc.constantFrom('all' as const, 'the rest' as const),
});
type Reporting = typeof anyReporting extends fc.Arbitrary<infer T> ? T : never;

/** The event of a minute, and the arrival of the answer to that minute's look-up. */
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
  /** Delays of the answer in minutes. With two delays the answer arrives twice, with none it never arrives. */
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
  hasSucceeded: false,
  reversed: null,
  excess: null,
});

/** Changes the charge like Korapay (shared/providers/korapay/simulator/provider.ts). */
const applyEvent = (
  simulated: KorapayCharge,
  { over, under, reversalBy }: Reporting,
  happens: Minute['happens'],
  at: number,
): void => {
  const accepted = simulated.parts.reduce((sum, part) => sum + part.accepted, 0);
  if (typeof happens === 'object') {
    if (simulated.hasSucceeded) return;
    const { paid } = happens;
    const keptAmount = {
      less: under === 'accept_all' ? paid : 0,
      more: { return_excess: ASKED, return_all: 0, accept_all: paid }[over],
    }[paid < ASKED ? 'less' : 'more'];
    const incoming = {
      transferId: `trf-${simulated.parts.length}`,
      amount: paid,
      senderName: null,
      senderBank: null,
      paidAt: at,
    };
    simulated.parts.push({ incoming, accepted: paid === ASKED ? paid : keptAmount });
    simulated.hasSucceeded = paid === ASKED || keptAmount > 0;
  } else if (happens === 'all returned') {
    if (accepted > 0) simulated.reversed = reversalBy;
  } else if (happens !== 'nothing' && accepted > ASKED && !simulated.reversed && simulated.excess !== 'success') {
    simulated.excess = happens.slice('excess '.length) as 'processing' | 'success' | 'failed';
  }
};

const computeKept = ({ parts, reversed, excess }: KorapayCharge): number => {
  if (reversed) return 0;
  return excess && excess !== 'failed' ? ASKED : parts.reduce((sum, { accepted }) => sum + accepted, 0);
};

/** Reads the report from Korapay's answer at this time. */
const reportAt = (simulated: KorapayCharge, { reversalOf, acceptedIs }: Reporting, now: number) => {
  const view = chargeView(simulated, now) as ReturnType<typeof chargeView> & {
    bank_transfer?: { reversal?: { amount: string } };
  };
  const last = simulated.parts.at(-1)?.incoming.amount ?? 0;
  const reversal = view.bank_transfer?.reversal;
  if (reversal && simulated.excess && !simulated.reversed && reversalOf === 'last')
    reversal.amount = ((last - ASKED) / 100).toFixed(2);
  if (simulated.excess === 'success' && !simulated.reversed && acceptedIs === 'the rest')
    view.amount_accepted = (ASKED / 100).toFixed(2);
  const query = { by: 'our_reference', value: REFERENCE } as const;
  return toReport({ payment: charge.parse(view), reference: REFERENCE }, query, { now, zonelessDates: 'lagos' });
};

const newBooks = () => {
  const { land: landMoney, checkout } = checkoutBooks(live);
  return {
    checkout,
    /** Lands a report like look-up-payment.ts. */
    land: ({ money, state }: ReturnType<typeof reportAt>, askedAt: number, recordedAt: number): void => {
      for (const reported of money) landMoney(reported, { askedAt, recordedAt, complete: state === 'complete' });
    },
  };
};

longerTest(
  'the counted amount is always one that Korapay kept at some time, and in the end the amount that Korapay keeps',
  () => {
    fc.assert(
      fc.property(anyReporting, fc.array(anyMinute, { minLength: 1, maxLength: 10 }), (reporting, minutes) => {
        const simulated = newCharge();
        const { land, checkout } = newBooks();
        const everKept = new Set([0]);
        const reports = minutes.map(({ happens }, minute) => {
          const at = NOON + minute * MINUTE;
          applyEvent(simulated, reporting, happens, at);
          everKept.add(computeKept(simulated));
          return reportAt(simulated, reporting, at);
        });
        const arrivals = minutes
          .flatMap(({ arrivesAfter }, askedAt) => arrivesAfter.map((delay) => ({ askedAt, at: askedAt + delay })))
          .toSorted((a, b) => a.at - b.at);
        for (const { askedAt, at } of arrivals) {
          land(reports[askedAt] as (typeof reports)[number], NOON + askedAt * MINUTE, NOON + at * MINUTE);
          expect(everKept).toContain(Number(checkout().paidAmount));
        }
        const last = reportAt(simulated, reporting, NOON + HOUR - 1);
        land(last, NOON + HOUR, NOON + HOUR);
        expect(checkout().paidAmount).toBe(computeKept(simulated));
        const end = checkout();
        land(last, NOON + 2 * HOUR, NOON + 2 * HOUR);
        expect(checkout()).toEqual(end);
      }),
      setRuns(1_000),
    );
  },
);

import fc from 'fast-check';
import { chargeView, type KorapayCharge } from '#infra/local/twin/korapay/shapes.ts';
import { charge } from '#shared/adapters/providers/korapay/charge.ts';
import { reportOf } from '#shared/adapters/providers/korapay/report.ts';
import { kobo } from '#shared/domain/kernel/money.ts';
import { HOUR, MINUTE } from '#shared/domain/kernel/time.ts';
import { checkoutBooks } from '#test/unit/checkouts/checkout-books.ts';
import { NOON, pendingCheckout } from '#test/unit/http/examples.ts';

/*
 * Korapay's histories: wrong amounts that go back at once, too much that is kept and of which the excess goes back later, and all of
 * it that goes back; with look-ups that fail, and answers that are heard late, twice, or in another order. Whatever was heard, what
 * counts is something that Korapay kept at some time, and at last what it keeps. Amounts are kobo.
 */

const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
const ASKED = 791_000_007;
const live = pendingCheckout({
  mode: 'live',
  provider: 'korapay',
  amount: kobo.parse(ASKED),
  amountToPay: kobo.parse(ASKED),
});

/** How Korapay may tell what is not documented (providers.md sections 3.4 and 3.6). */
const anyTelling = fc.record({
  over: fc.constantFrom('return_excess' as const, 'return_all' as const, 'accept_all' as const, 'accept_all' as const),
  under: fc.constantFrom('return_all' as const, 'return_all' as const, 'accept_all' as const),
  reversalBy: fc.constantFrom('status' as const, 'amounts' as const),
  /** Whether `reversal` sums what went back of all transfers, and whether excess that goes back later is taken off `amount_accepted`. */
  reversalOf: fc.constantFrom('all' as const, 'last' as const),
  acceptedIs: fc.constantFrom('all' as const, 'the rest' as const),
});
type Telling = typeof anyTelling extends fc.Arbitrary<infer T> ? T : never;

/** What happens in a minute, and how the answer is heard that is asked for then. */
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
    { weight: 1, arbitrary: fc.constant('all goes back' as const) },
    { weight: 3, arbitrary: fc.constant('nothing' as const) },
  ),
  /** The minutes after which the answer is heard; none where the look-up fails. */
  heardAfter: fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 2 }),
});
type Minute = typeof anyMinute extends fc.Arbitrary<infer T> ? T : never;

const newCharge = (): KorapayCharge => ({
  reference: REFERENCE,
  paymentReference: 'KPY-PAY-1',
  account: {
    provider: 'korapay',
    kind: 'payment',
    number: '7700000001',
    name: 'Twinshop',
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
  succeeded: false,
  reversed: null,
  excess: null,
});

/** What Korapay does (infra/local/twin/korapay/provider.ts). */
const happen = (
  of: KorapayCharge,
  { over, under, reversalBy }: Telling,
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
  } else if (happens === 'all goes back') {
    if (accepted > 0) of.reversed = reversalBy;
  } else if (happens !== 'nothing' && accepted > ASKED && !of.reversed && of.excess !== 'success') {
    of.excess = happens.slice('excess '.length) as 'processing' | 'success' | 'failed';
  }
};

const keptOf = ({ parts, reversed, excess }: KorapayCharge): number => {
  if (reversed) return 0;
  return excess && excess !== 'failed' ? ASKED : parts.reduce((sum, { accepted }) => sum + accepted, 0);
};

/** What Korapay answers at this moment, as we read it. */
const answerOf = (of: KorapayCharge, { reversalOf, acceptedIs }: Telling, now: number) => {
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
  return reportOf(charge.parse(view), query, { now, zonelessDates: 'lagos' });
};

const books = () => {
  const { land, now } = checkoutBooks(live);
  return {
    now,
    /** Takes in an answer as look-up-payment.ts does. */
    hear: ({ money, state }: ReturnType<typeof answerOf>, askedAt: number, recordedAt: number): void => {
      for (const one of money) land(one, { askedAt, recordedAt, complete: state === 'complete' });
    },
  };
};

test('what counts of a charge is what Korapay kept at some time, and at last what it keeps', () => {
  fc.assert(
    fc.property(anyTelling, fc.array(anyMinute, { minLength: 1, maxLength: 10 }), (telling, minutes) => {
      const of = newCharge();
      const { hear, now } = books();
      const everKept = new Set([0]);
      const answers = minutes.map(({ happens }, minute) => {
        const at = NOON + minute * MINUTE;
        happen(of, telling, happens, at);
        everKept.add(keptOf(of));
        return answerOf(of, telling, at);
      });
      const heard = minutes
        .flatMap(({ heardAfter }, asked) => heardAfter.map((late) => ({ asked, at: asked + late })))
        .toSorted((one, other) => one.at - other.at);
      for (const { asked, at } of heard) {
        hear(answers[asked] as (typeof answers)[number], NOON + asked * MINUTE, NOON + at * MINUTE);
        expect(everKept).toContain(Number(now().paidAmount));
      }
      const last = answerOf(of, telling, NOON + HOUR - 1);
      hear(last, NOON + HOUR, NOON + HOUR);
      expect(now().paidAmount).toBe(keptOf(of));
      const end = now();
      hear(last, NOON + 2 * HOUR, NOON + 2 * HOUR);
      expect(now()).toEqual(end);
    }),
    { numRuns: 1_000 },
  );
});

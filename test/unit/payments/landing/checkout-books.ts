import { shownAttempt } from '#shared/checkouts/domain/attempt.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import type { CheckoutChange } from '#shared/checkouts/domain/checkout-change.ts';
import { applyReport, paymentsToRead } from '#shared/payments/domain/landing/apply-report.ts';
import type { Landing } from '#shared/payments/domain/landing/landing.ts';
import type { Payment } from '#shared/payments/domain/payment.ts';
import { paymentKey } from '#shared/payments/store/keys.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import type { Refund } from '#shared/providers/domain/refund.ts';
import { type ReportedMoney, toSourceId } from '#shared/providers/domain/report.ts';
import type { PaymentOrigin, SourceId } from '#shared/providers/domain/source.ts';
import { BUSINESS, id } from '#test/unit/api/examples.ts';

/** Does the same as `toBe`, but faster: properties compare half a million times, and `expect` takes longer than the code under test. */
export const expectSame = (actual: unknown, expected: unknown): void => {
  if (!Object.is(actual, expected)) expect(actual).toBe(expected);
};
/** Does the same as `toBeLessThanOrEqual`, but faster. */
export const expectAtMost = (actual: number, limit: number): void => {
  if (!(actual <= limit)) expect(actual).toBeLessThanOrEqual(limit);
};

const keyOf = (origin: PaymentOrigin | SourceId): string => paymentKey('live', 'korapay', origin).pk;

/** Sums the accepted payments in kobo. */
export const sumAccepted = (payments: Iterable<Payment>): number =>
  [...payments].reduce((sum, { outcome, amount }) => (outcome === 'accepted' ? sum + amount : sum), 0);

/** The times of a report, and what else it says. `complete`: whether the provider calls the charge complete. */
export interface Times {
  readonly askedAt: Millis;
  readonly recordedAt?: Millis;
  readonly complete?: boolean;
  readonly refund?: Refund | undefined;
}

/** A change of a checkout. `isPartial`: whether the same report makes another change after this one. */
export type Step = CheckoutChange & { readonly isPartial?: boolean };

/** Converts the result of landing on a checkout to a step; undefined if nothing changed. */
export const stepFrom = (landing: Landing): Step | 'stale' | undefined => {
  if (landing.kind === 'stale') return landing.kind;
  if (landing.kind === 'ignored') return undefined;
  const { entries, events, isPartial } = landing;
  const { checkout, unmatched: _, ...payments } = entries;
  if (!checkout) throw new Error('The landing left the checkout out.');
  const announce = (events[0]?.type ?? null) as Step['announce'];
  return { ...payments, checkout: checkout.after, announce, isPartial };
};

/** Applies a report to a checkout without unmatched money. */
export const applyTo = (
  checkout: Checkout,
  recorded: { readonly known?: Payment | undefined; readonly affected?: readonly Payment[] },
  report: Parameters<typeof applyReport>[1],
  context: Parameters<typeof applyReport>[2],
): Step | 'stale' | undefined => {
  const owner = { kind: 'checkout', business: BUSINESS, checkout } as const;
  const { known, affected = [] } = recorded;
  const nothingElse = { unmatched: undefined, assigned: undefined, isForeign: false };
  return stepFrom(applyReport({ owner, known, affected, ...nothingElse }, report, context));
};

/**
 * Keeps a checkout and all of its payments in memory, as the table does, and lands money on the checkout. Checks the invariants after every
 * step.
 */
export const checkoutBooks = (begin: Checkout) => {
  let current = begin;
  let paymentNumber = 0;
  const payments = new Map<string, Payment>();
  const steps: Step[] = [];

  const record = (step: Step): void => {
    const { payment, reversed = [], noteChange } = step;
    if (noteChange) {
      expectSame(payments.get(keyOf(noteChange.before.origin))?.refunds?.length, noteChange.before.refunds?.length);
      payments.set(keyOf(noteChange.before.origin), noteChange.after);
    }
    for (const reversedPayment of reversed) {
      const before = payments.get(keyOf(reversedPayment.origin));
      expectSame(before?.id, reversedPayment.id);
      expectSame(before?.outcome, 'accepted');
      payments.set(keyOf(reversedPayment.origin), reversedPayment);
    }
    if (payment) {
      expectSame(payments.has(keyOf(payment.origin)), false);
      payments.set(keyOf(payment.origin), payment);
    }
    expectSame(step.checkout.version, current.version + (step.announce ? 1 : 0));
    expectSame(step.checkout.paidAmount, sumAccepted(payments.values()));
    current = step.checkout;
    steps.push(step);
  };

  return {
    checkout: () => current,
    payments,
    steps,
    /** Returns the records of the payments that the checkout shows. */
    newest: (): Payment[] =>
      current.payments.map((shown) => [...payments.values()].find((payment) => payment.id === shown.id) as Payment),
    announced: () => steps.flatMap(({ announce }) => announce ?? []),
    /** Applies a step without money. */
    change: (step: Step | undefined): void => {
      if (step) record(step);
    },
    /** Applies a report step by step, as `landMoney` does, until all of it is recorded, or until a crash after `stepsBeforeCrash` steps. */
    land: (
      money: ReportedMoney,
      { askedAt, recordedAt = askedAt, complete = false, refund }: Times,
      stepsBeforeCrash = Number.POSITIVE_INFINITY,
    ): Step[] | 'stale' => {
      const first = steps.length;
      for (;;) {
        paymentNumber += 1;
        const known = money.kind === 'cumulative_report' ? undefined : payments.get(keyOf(toSourceId(money)));
        const owner = { kind: 'checkout', business: BUSINESS, checkout: current } as const;
        const origins = paymentsToRead(owner, known, { money, refund });
        const affected = origins.map((origin) => payments.get(keyOf(origin)) as Payment);
        const state = complete ? ('complete' as const) : ('open' as const);
        const report = { provider: shownAttempt(begin).provider, money, state, askedAt, refund };
        const step = applyTo(current, { known, affected }, report, { id: id('pay', paymentNumber), recordedAt });
        if (step === 'stale') return step;
        if (step) record(step);
        if (!step?.isPartial || steps.length - first === stepsBeforeCrash) return steps.slice(first);
      }
    },
  };
};
export type CheckoutBooks = ReturnType<typeof checkoutBooks>;

import { hasLiveAttemptAt } from '#shared/checkouts/domain/attempt.ts';
import { getOwnerId, type NewPaymentContext, type Payment } from '#shared/payments/domain/payment.ts';
import { supersedes } from '#shared/payments/domain/unmatched-payment.ts';
import { ForeignReport } from '#shared/providers/domain/errors.ts';
import { isLiveAt } from '#shared/providers/domain/provider.ts';
import type { Refund } from '#shared/providers/domain/refund.ts';
import { isReturned, type MoneyReport, type ReportedMoney } from '#shared/providers/domain/report.ts';
import type { PaymentOrigin } from '#shared/providers/domain/source.ts';
import { compareTotal, partsToRead } from './compare-total.ts';
import { compareTransfer } from './compare-transfer.ts';
import type { Landing, LandingOwner, LandingState, ReportedChange } from './landing.ts';
import { landOnAccount } from './on-account.ts';
import { landOnCheckout } from './on-checkout.ts';
import { originOfRemainder } from './refunded-transfer.ts';
import { saveUnmatched } from './unmatched-money.ts';

/* Landing: applies a provider's report to our records. It is pure: land-money.ts reads the state and commits the result. */

const paymentOwner = (owner: LandingOwner) =>
  owner.kind === 'checkout'
    ? ({ kind: 'checkout', reference: owner.checkout.reference } as const)
    : ({ kind: 'virtual_account', id: owner.virtualAccount.id } as const);

/** Compares the report with the records of its money. */
const compare = (
  owner: LandingOwner,
  state: LandingState,
  report: MoneyReport,
  newPayment: NewPaymentContext,
): ReportedChange | 'stale' => {
  const { money } = report;
  if (money.kind !== 'cumulative_report') {
    const change = compareTransfer(owner, state, { ...report, money }, newPayment);
    return { change, total: undefined, isPartial: false };
  }
  if (owner.kind !== 'checkout') throw new Error('A cumulative report is never for a virtual account.');
  return compareTotal(owner, state.affected, { ...report, money }, newPayment);
};

/**
 * Lands money on its owner. @throws ForeignReport if the owner has no live account at the provider: a stranger may have used our reference
 * there.
 */
const landOn = (
  owner: LandingOwner,
  state: LandingState,
  report: MoneyReport,
  newPayment: NewPaymentContext,
): Landing => {
  const { provider } = report;
  const isOwn =
    owner.kind === 'checkout' ? hasLiveAttemptAt(provider, owner.checkout) : isLiveAt(provider, owner.virtualAccount);
  if (!isOwn) throw new ForeignReport(getOwnerId(paymentOwner(owner)));
  const changed = compare(owner, state, report, newPayment);
  if (changed === 'stale') return { kind: 'stale' };
  return owner.kind === 'checkout'
    ? landOnCheckout(owner.checkout, changed, report, newPayment)
    : landOnAccount(changed.change);
};

/**
 * Adds the deletion of the unmatched entry to a landing. It adds none to a partial landing: the last landing of the report deletes the entry. It
 * adds none if the landing writes the payment of a transfer or a rejection, because that payment has the entry's key and replaces it.
 */
const forgetUnmatched = (landing: Landing, { unmatched }: LandingState, money: ReportedMoney): Landing => {
  if (!unmatched || landing.kind === 'stale') return landing;
  const posted =
    landing.kind === 'posted'
      ? landing
      : ({ kind: 'posted', as: 'landed', entries: {}, events: [], isPartial: false } as const);
  const isReplaced = money.kind !== 'cumulative_report' && posted.entries.payment !== undefined;
  if (posted.isPartial || isReplaced) return posted;
  return { ...posted, entries: { ...posted.entries, unmatched: { before: unmatched } } };
};

/** Lands money on its owner in place of the unmatched entry, if there is one. */
const landInPlaceOfUnmatched = (
  owner: LandingOwner,
  state: LandingState,
  report: MoneyReport,
  newPayment: NewPaymentContext,
): Landing => {
  const { unmatched, assigned } = state;
  const { money, askedAt } = report;
  const isNews = !unmatched || supersedes(unmatched, money, askedAt);
  if (!isNews && money.kind === 'cumulative_report') return { kind: 'stale' };
  // If the unmatched entry says that the money was returned, a report that it was accepted is older and cannot change that. The money lands as
  // returned, and an operator cannot assign it.
  const returnedMoney = !isNews && isReturned(unmatched.money) ? unmatched.money : undefined;
  if (returnedMoney && assigned) return { kind: 'ignored', as: 'unmatched' };
  const landing = landOn(owner, state, returnedMoney ? { ...report, money: returnedMoney } : report, newPayment);
  return forgetUnmatched(landing, state, money);
};

/**
 * Applies a provider's report of money to the records of that money: on its checkout or virtual account, or as unmatched money if no owner is
 * known. After a partial landing is written, the same report must be applied again. `newPayment`: the id and time of a payment that the report may add.
 * @throws ForeignReport for an owner of another provider or of test mode.
 */
export const applyReport = (state: LandingState, report: MoneyReport, newPayment: NewPaymentContext): Landing => {
  const { owner, assigned } = state;
  if (!owner) return saveUnmatched(state, report, newPayment);
  const isOther = assigned !== undefined && getOwnerId(paymentOwner(owner)) !== getOwnerId(assigned);
  return isOther ? { kind: 'ignored', as: 'other_owner' } : landInPlaceOfUnmatched(owner, state, report, newPayment);
};

/**
 * Lists the origins of the payments that must be read before a report is applied: the parts that a cumulative report reverses, and the
 * remainder of a refunded transfer. A checkout holds only its newest payments, so it may lack those parts. The list is mostly empty.
 */
export const paymentsToRead = (
  owner: LandingOwner,
  known: Payment | undefined,
  { money, refund }: { readonly money: ReportedMoney; readonly refund?: Refund | undefined },
): readonly PaymentOrigin[] => {
  if (money.kind === 'cumulative_report') return owner.kind === 'checkout' ? partsToRead(owner, money, refund) : [];
  const remainder = known && originOfRemainder(known);
  return remainder ? [remainder] : [];
};

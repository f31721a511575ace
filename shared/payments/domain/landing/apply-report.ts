import { hasLiveAttemptAt } from '#shared/checkouts/domain/attempt.ts';
import { type NewPayment, nameOfOwner, type Payment } from '#shared/payments/domain/payment.ts';
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
  context: NewPayment,
): ReportedChange | 'stale' => {
  const { money } = report;
  if (money.kind !== 'cumulative_report') {
    const change = compareTransfer(owner, state, { ...report, money }, context);
    return { change, total: undefined, isPartial: false };
  }
  if (owner.kind !== 'checkout') throw new Error('A cumulative report is never for a virtual account.');
  return compareTotal(owner, state.affected, { ...report, money }, context);
};

/** Lands money on its owner. @throws ForeignReport if the owner belongs to another provider or test mode: a reference is no proof of ownership. */
const landOn = (owner: LandingOwner, state: LandingState, report: MoneyReport, context: NewPayment): Landing => {
  const { provider } = report;
  const isOwn =
    owner.kind === 'checkout' ? hasLiveAttemptAt(provider, owner.checkout) : isLiveAt(provider, owner.virtualAccount);
  if (!isOwn) throw new ForeignReport(nameOfOwner(paymentOwner(owner)));
  const changed = compare(owner, state, report, context);
  if (changed === 'stale') return { kind: 'stale' };
  return owner.kind === 'checkout'
    ? landOnCheckout(owner.checkout, changed, report, context)
    : landOnAccount(changed.change);
};

/** Deletes the unmatched entry of landed money, unless a payment replaces it under the same key, as for a transfer or a rejection. */
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
  context: NewPayment,
): Landing => {
  const { unmatched, assigned } = state;
  const { money, askedAt } = report;
  const isNews = !unmatched || supersedes(unmatched, money, askedAt);
  if (!isNews && money.kind === 'cumulative_report') return { kind: 'stale' };
  // A returned transfer lands as returned even if an older report says otherwise, and it cannot be assigned.
  const returnedMoney = !isNews && isReturned(unmatched.money) ? unmatched.money : undefined;
  if (returnedMoney && assigned) return { kind: 'ignored', as: 'unmatched' };
  const landing = landOn(owner, state, returnedMoney ? { ...report, money: returnedMoney } : report, context);
  return forgetUnmatched(landing, state, money);
};

/**
 * Applies a provider's report of money to the records of that money: on its checkout or virtual account, or as unmatched money if no owner is
 * known. After a partial landing is written, the same report must be applied again. `context`: the id and time of a payment that the report may add.
 * @throws ForeignReport for an owner of another provider or of test mode.
 */
export const applyReport = (state: LandingState, report: MoneyReport, context: NewPayment): Landing => {
  const { owner, assigned } = state;
  if (!owner) return saveUnmatched(state, report, context);
  const isOther = assigned !== undefined && nameOfOwner(paymentOwner(owner)) !== nameOfOwner(assigned);
  return isOther ? { kind: 'ignored', as: 'other_owner' } : landInPlaceOfUnmatched(owner, state, report, context);
};

/**
 * Lists the origins of the payments that must be read before a report is applied: the parts that a cumulative report reverses, because a checkout holds
 * only its newest payments, and the remainder of a refunded transfer. Mostly empty.
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

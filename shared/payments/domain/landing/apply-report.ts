import { isAskedLive } from '#shared/checkouts/domain/attempt.ts';
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
import { originOfRest } from './refunded-transfer.ts';
import { saveUnmatched } from './unmatched-money.ts';

/* Landing: how the report of a provider changes what is recorded. Pure: land-money.ts reads the state and commits what comes of it. */

const paymentOwner = (owner: LandingOwner) =>
  owner.kind === 'checkout'
    ? ({ kind: 'checkout', reference: owner.checkout.reference } as const)
    : ({ kind: 'virtual_account', id: owner.virtualAccount.id } as const);

/** Compares the report with what is recorded of its money. */
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

/** Lands money on its owner. @throws ForeignReport: a reference is no proof of ownership. */
const landOn = (owner: LandingOwner, state: LandingState, report: MoneyReport, context: NewPayment): Landing => {
  const { provider } = report;
  const isItsOwn =
    owner.kind === 'checkout' ? isAskedLive(provider, owner.checkout) : isLiveAt(provider, owner.virtualAccount);
  if (!isItsOwn) throw new ForeignReport(nameOfOwner(paymentOwner(owner)));
  const changed = compare(owner, state, report, context);
  if (changed === 'stale') return { kind: 'stale' };
  return owner.kind === 'checkout'
    ? landOnCheckout(owner.checkout, changed, report, context)
    : landOnAccount(changed.change);
};

/** Forgets the unmatched entry of money that has landed. The payment of a transfer or of a rejection replaces it under the same key. */
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
  // A transfer that was returned lands as returned, whatever an older report says, and cannot be assigned.
  const returned = !isNews && isReturned(unmatched.money) ? unmatched.money : undefined;
  if (returned && assigned) return { kind: 'ignored', as: 'unmatched' };
  const landing = landOn(owner, state, returned ? { ...report, money: returned } : report, context);
  return forgetUnmatched(landing, state, money);
};

/**
 * Applies a provider's report of money to everything that is recorded of that money: on its checkout or virtual account, or as unmatched
 * money while no owner is known. After a partial landing is written, the same report is applied again. `made`: the id and time of a payment
 * that the report may add.
 * @throws ForeignReport for an owner of another provider or of test mode.
 */
export const applyReport = (state: LandingState, report: MoneyReport, context: NewPayment): Landing => {
  const { owner, assigned } = state;
  if (!owner) return saveUnmatched(state, report, context);
  const isOther = assigned !== undefined && nameOfOwner(paymentOwner(owner)) !== nameOfOwner(assigned);
  return isOther ? { kind: 'ignored', as: 'other_owner' } : landInPlaceOfUnmatched(owner, state, report, context);
};

/**
 * The origins of the payments that have to be read before a report is applied: those that a cumulative report reverses, since a checkout holds its
 * newest payments only, and what refunds left of a transfer. Mostly none.
 */
export const paymentsToRead = (
  owner: LandingOwner,
  known: Payment | undefined,
  { money, refund }: { readonly money: ReportedMoney; readonly refund?: Refund | undefined },
): readonly PaymentOrigin[] => {
  if (money.kind === 'cumulative_report') return owner.kind === 'checkout' ? partsToRead(owner, money, refund) : [];
  const rest = known && originOfRest(known);
  return rest ? [rest] : [];
};

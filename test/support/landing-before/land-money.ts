import { type NewPayment, nameOfOwner, type Payment, type PaymentOwner } from '#shared/payments/domain/payment.ts';
import { supersedes } from '#shared/payments/domain/unmatched-payment.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import type { Metrics } from '#shared/platform/observability/metrics.ts';
import { type CommitResult, untilCommitted } from '#shared/platform/until-committed.ts';
import { OwnerNotFound } from '#shared/providers/domain/errors.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { type Refund, unseenRefunds, withRefund } from '#shared/providers/domain/refund.ts';
import {
  asReinstated,
  isReturned,
  type MoneyReport,
  type ReportedMoney,
  type ReportedTransfer,
  type ReportState,
} from '#shared/providers/domain/report.ts';
import type { LiveProviders } from '#shared/providers/ports.ts';
import { type ChangeDeps, commitStep } from './change-checkout.ts';
import { commitAccountPayment, commitAccountWithdrawal } from './commit-account-payment.ts';
import { landOnCheckout, paymentsToRead } from './land-on-checkout.ts';
import { type AccountReceipt, type AccountWithdrawal, landOnVirtualAccount } from './land-on-virtual-account.ts';
import type { Located, Recorded, UnmatchedStore } from './ports-before.ts';
import { isReturnContradictable, originOfRest } from './refunded-transfer.ts';
import { saveUnmatched } from './save-unmatched.ts';

export interface LandDeps extends ChangeDeps {
  readonly unmatched: UnmatchedStore;
  readonly liveProviders: LiveProviders;
  readonly metrics: Metrics;
}

/** What is known of the provider's answer that reported the money. */
interface Answer {
  /** How the provider sees the payment as a whole. */
  readonly state?: ReportState;
  /** When we began to ask for it. Absent: not known. */
  readonly askedAt?: Millis;
  /** A refund of this money that the provider reported by itself. The money has landed before. */
  readonly refund?: Refund;
}

/** The owner that money lands on. */
export interface LandingTarget {
  readonly owner: PaymentOwner;
  readonly tenant: Tenant;
}

/**
 * `stale`: nothing changed, as the report may be older than what counts. `other_owner`: another owner has the money than the operator named.
 * `foreign`: money that its provider returned under a reference that another provider, or test mode, was asked for; nothing changed.
 */
export type LandingOutcome = 'landed' | 'unmatched' | 'stale' | 'other_owner' | 'foreign';

/** The owner that the money is recorded on, else the one that an operator named, else the one reported. No running total is for a virtual account. */
const targetOf = (
  { known, owner, tenant }: Located,
  { money }: MoneyReport,
  assigned: LandingTarget | undefined,
): LandingTarget | undefined => {
  if (known) return { owner: known.owner, tenant: known };
  if (assigned) return assigned;
  const isPossible = owner?.kind === 'checkout' || money.kind !== 'running_total';
  return owner && tenant && isPossible ? { owner, tenant } : undefined;
};

/** The id and time of a payment that is about to be recorded. */
const newPaymentOf = (deps: LandDeps, provider: ProviderName): NewPayment => ({
  id: deps.newId('pay'),
  recordedAt: deps.now(),
  isReviewed: deps.liveProviders(provider)?.returnsSilently,
});

const recordLanding = async (
  deps: LandDeps,
  found: NonNullable<Awaited<ReturnType<LandDeps['ledger']['readVirtualAccount']>>>,
  landing: AccountReceipt | AccountWithdrawal,
): Promise<Recorded> => {
  if (landing.kind === 'withdrawn') return commitAccountWithdrawal(deps, found, landing);
  const { kind, payment } = landing;
  return kind === 'returned' ? deps.ledger.record({ payment }) : commitAccountPayment(deps, found, { kind, payment });
};

/** Whether another refund has landed since the payments were read that name this one: what it left is another payment by now. */
const isSuperseded = ({ kept }: Payment): boolean => kept !== undefined;

/** Records reported money on a virtual account. Throws OwnerNotFound. */
const recordOnAccount = async (
  deps: LandDeps,
  tenant: Tenant,
  id: string,
  known: Payment | undefined,
  { money, provider, refund }: MoneyReport,
): Promise<CommitResult<'landed'>> => {
  const found = await deps.ledger.readVirtualAccount(tenant, id);
  if (!found) throw new OwnerNotFound(id);
  if (money.kind === 'running_total') throw new Error(`A running total is never for a virtual account, as ${id} is.`);
  const { virtualAccount } = found;
  const origin = known && originOfRest(known);
  const [rest] = origin ? await deps.ledger.readPayments(virtualAccount, [origin]) : [];
  if (rest && isSuperseded(rest)) return 'conflict';
  const context = { ...newPaymentOf(deps, provider), provider, refund, known, rest };
  const landing = landOnVirtualAccount(context, virtualAccount, money);
  if (!landing) return { done: 'landed' };
  return (await recordLanding(deps, found, landing)) === 'recorded' ? { done: 'landed' } : 'conflict';
};

/** Records the next step that reported money causes on a checkout. Throws OwnerNotFound. */
const recordOnCheckout = async (
  deps: LandDeps,
  tenant: Tenant,
  reference: string,
  known: Payment | undefined,
  { provider, money, state, askedAt, refund }: MoneyReport,
): Promise<CommitResult<'landed' | 'stale'>> => {
  const found = await deps.ledger.readCheckout(tenant, reference);
  if (!found) throw new OwnerNotFound(reference);
  const { checkout } = found;
  // The payment was read before the checkout. If it was reversed in between, the checkout has less than it accepted: both are read again.
  if (known?.outcome === 'accepted' && known.amount > checkout.paidAmount) return 'conflict';
  const unread = paymentsToRead(checkout, money, { known, refund });
  const parts = unread.length > 0 ? await deps.ledger.readPayments(checkout, unread) : [];
  if (parts.some(isSuperseded)) return 'conflict';
  const step = landOnCheckout(
    {
      ...newPaymentOf(deps, provider),
      provider,
      askedAt,
      refund,
      known,
      state,
      parts,
    },
    checkout,
    money,
  );
  if (step === 'stale') return { done: step };
  if (!step) return { done: 'landed' };
  if ((await commitStep(deps, found, step)) === 'conflict') return 'conflict';
  return step.isPartial ? 'continue' : { done: 'landed' };
};

const recordOn = (
  deps: LandDeps,
  { owner, tenant }: LandingTarget,
  known: Payment | undefined,
  report: MoneyReport,
): Promise<CommitResult<'landed' | 'stale'>> =>
  owner.kind === 'virtual_account'
    ? recordOnAccount(deps, tenant, owner.id, known, report)
    : recordOnCheckout(deps, tenant, owner.reference, known, report);

/** Whether a report of a transfer that is recorded as returned may be newer than the return: it was asked for after the transfer was recorded. */
const isAfterReturn = ({ known, unmatched }: Located, askedAt: Millis): boolean => {
  if (known) return isReturnContradictable(known) && askedAt > known.recordedAt;
  return unmatched !== undefined && isReturned(unmatched.money) && askedAt > unmatched.askedAt;
};

/**
 * Handles a report of a transfer that is recorded as returned. If the provider keeps it now, it was reinstated: it is saved as unmatched,
 * under a source of its own. It is looked up again, because the report may be stale; after that an alarm calls operators.
 */
const landAfterReturn = async (
  deps: LandDeps,
  report: MoneyReport,
  money: ReportedTransfer,
): Promise<CommitResult<LandingOutcome>> => {
  const { provider, askedAt } = report;
  const reinstated = { ...report, money: asReinstated(money) };
  const located = await deps.ledger.locate(provider, reinstated.money);
  const { known, unmatched } = located;
  if (askedAt < (known?.recordedAt ?? unmatched?.askedAt ?? 0)) return { done: 'landed' };
  // An operator assigned it, so that it is a payment of its own.
  if (known) return attemptLanding(deps, reinstated, undefined);
  if (!isReturned(money)) return saveUnmatched(deps, reinstated, located);
  // Returned again: nothing is left to assign. An older report may list it once more, until that is looked up.
  if (unmatched) await deps.unmatched.forget(unmatched);
  return { done: 'landed' };
};

/**
 * Handles money without an owner. What its provider keeps is unmatched money; what was returned under a reference that another provider, or
 * test mode, was asked for is only counted. A refund waits for the money itself to land.
 */
const landNowhere = async (
  deps: LandDeps,
  report: MoneyReport,
  located: Located,
): Promise<CommitResult<LandingOutcome>> => {
  if (report.refund) return { done: 'unmatched' };
  if (!located.isForeign || !isReturned(report.money) || located.unmatched) return saveUnmatched(deps, report, located);
  deps.metrics('foreign_reports', 1);
  return { done: 'foreign' };
};

/** The transfer as an operator assigned it after it was reinstated, where a refund that is new must be of that; undefined for any other. */
const reinstatedOf = async (
  deps: LandDeps,
  { provider, money, refund }: MoneyReport,
  { known }: Located,
): Promise<ReportedTransfer | undefined> => {
  if (!refund || money.kind !== 'transfer' || !known || !isReturnContradictable(known)) return undefined;
  const before = known.refunds ?? [];
  const after = withRefund(before, refund);
  // It is noted on the first payment already, or that was recorded without it.
  if (after.length === before.length || unseenRefunds(after, known.leftOut) === 0) return undefined;
  const reinstated = asReinstated(money);
  return (await deps.ledger.locate(provider, reinstated)).known && reinstated;
};

/** Reads everything that concerns the money, decides, and commits one step. */
const attemptLanding = async (
  deps: LandDeps,
  report: MoneyReport,
  assigned: LandingTarget | undefined,
): Promise<CommitResult<LandingOutcome>> => {
  const { provider, money, askedAt, refund } = report;
  const located = await deps.ledger.locate(provider, money);
  const { known, unmatched } = located;
  if (money.kind === 'transfer' && !refund && isAfterReturn(located, askedAt)) {
    const outcome = await landAfterReturn(deps, report, money);
    // The return itself may still be unmatched, and land below.
    if (known || outcome === 'conflict') return outcome;
  }
  const reinstated = await reinstatedOf(deps, report, located);
  if (reinstated) return attemptLanding(deps, { ...report, money: reinstated }, undefined);
  const target = targetOf(located, report, assigned);
  if (!target) return landNowhere(deps, report, located);
  if (assigned && nameOfOwner(target.owner) !== nameOfOwner(assigned.owner)) return { done: 'other_owner' };
  const isSuperseding = !unmatched || supersedes(unmatched, money, askedAt);
  if (!isSuperseding && money.kind === 'running_total') return { done: 'stale' };
  // A transfer that was returned lands as returned, whatever an older report says, and cannot be assigned.
  const returned = !isSuperseding && isReturned(unmatched.money) ? unmatched.money : undefined;
  if (returned && assigned) return { done: 'unmatched' };
  const outcome = await recordOn(deps, target, known, returned ? { ...report, money: returned } : report);
  // The payment of a transfer has replaced the entry under its key. The payments of a running total have keys of their own.
  const isLanded = typeof outcome === 'object' && outcome.done === 'landed';
  if (isLanded && unmatched) await deps.unmatched.forget(unmatched);
  return outcome;
};

/**
 * Lands money that a provider reported. Every kind of report goes this way (architecture.md section 4): the money is recorded once, on
 * the checkout or account that it is for, with its event; or saved as unmatched. `assigned`: the owner that an operator named.
 * @throws OwnerNotFound, ForeignReport, and what untilCommitted throws.
 */
export const landMoney = (
  deps: LandDeps,
  provider: ProviderName,
  money: ReportedMoney,
  { state = 'open', askedAt = 0, refund }: Answer = {},
  assigned?: LandingTarget,
): Promise<LandingOutcome> =>
  untilCommitted(deps, () => attemptLanding(deps, { provider, money, state, askedAt, refund }, assigned));

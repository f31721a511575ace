import { paymentView } from '#shared/contract/money/payment-view.ts';
import { virtualAccountView } from '#shared/contract/virtual-accounts/virtual-account-view.ts';
import { landOnCheckout } from '#shared/domain/checkouts/land-on-checkout.ts';
import { paymentsToRead } from '#shared/domain/checkouts/land-total.ts';
import type { Tenant } from '#shared/domain/kernel/tenant.ts';
import type { Millis } from '#shared/domain/kernel/time.ts';
import { type NewPayment, nameOfOwner, type Payment, type PaymentOwner } from '#shared/domain/money/payment.ts';
import {
  asReinstated,
  isReturned,
  type MoneyReport,
  type ReportedMoney,
  type ReportedTransfer,
  type ReportState,
} from '#shared/domain/money/report.ts';
import { supersedes } from '#shared/domain/money/unmatched-payment.ts';
import type { ProviderName } from '#shared/domain/providers/provider.ts';
import { landOnVirtualAccount } from '#shared/domain/virtual-accounts/land-on-virtual-account.ts';
import type { Located, UnmatchedStore } from '#shared/ports/money.ts';
import type { LiveProviders } from '#shared/ports/providers.ts';
import { type CommitResult, untilCommitted } from '#shared/use-cases/kernel/until-committed.ts';
import { announcement, sendNow } from '#shared/use-cases/webhooks/announce.ts';
import { type ChangeDeps, commitStep } from './change-checkout.ts';
import { saveUnmatched } from './save-unmatched.ts';

export interface LandDeps extends ChangeDeps {
  readonly unmatched: UnmatchedStore;
  readonly liveProviders: LiveProviders;
}

/** How a provider's answer is to be taken. */
interface Answer {
  /** How the provider sees the payment as a whole. */
  readonly state?: ReportState;
  /** When we began to ask for it. Absent: it may be of any age. */
  readonly askedAt?: Millis;
}

/** Whom money lands on. */
export interface LandingTarget {
  readonly owner: PaymentOwner;
  readonly tenant: Tenant;
}

/** `stale`: nothing changed, as the report may be older than what counts. `other_owner`: it belongs to another owner than operations name. */
export type LandingOutcome = 'landed' | 'unmatched' | 'stale' | 'other_owner';

/** An owner on whom the money is recorded comes first, then the one whom operations name, then the one whom the provider names. No running total is for a virtual account. */
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

/** What identifies the payment that this may become. */
const newPaymentOf = (deps: LandDeps, provider: ProviderName): NewPayment => ({
  id: deps.newId('pay'),
  recordedAt: deps.now(),
  isReviewed: deps.liveProviders(provider)?.returnsSilently,
});

/** Records reported money on a virtual account. */
const recordOnAccount = async (
  deps: LandDeps,
  tenant: Tenant,
  id: string,
  known: Payment | undefined,
  { money, provider }: MoneyReport,
): Promise<CommitResult<'landed'>> => {
  const found = await deps.ledger.readVirtualAccount(tenant, id);
  if (!found || money.kind === 'running_total') return { done: 'landed' };
  const { business, virtualAccount } = found;
  const landing = landOnVirtualAccount(newPaymentOf(deps, provider), virtualAccount, money, known);
  if (!landing) return { done: 'landed' };
  const { kind, payment } = landing;
  const written = kind === 'reversed' ? { reversed: [payment] } : { payment };
  if (kind === 'returned') {
    return (await deps.ledger.record(written)) === 'recorded' ? { done: 'landed' } : 'conflict';
  }
  const type = `virtual_account.payment_${kind}` as const;
  const data = { payment: paymentView(payment), virtual_account: virtualAccountView(virtualAccount) };
  const { event, deliveries } = announcement(deps, business, tenant.mode, type, data);
  if ((await deps.ledger.record({ ...written, event, deliveries })) !== 'recorded') return 'conflict';
  await sendNow(deps, deliveries);
  return { done: 'landed' };
};

/** Records the next step that reported money makes of a checkout. */
const recordOnCheckout = async (
  deps: LandDeps,
  tenant: Tenant,
  reference: string,
  known: Payment | undefined,
  { provider, money, state, askedAt }: MoneyReport,
): Promise<CommitResult<'landed' | 'stale'>> => {
  const found = await deps.ledger.readCheckout(tenant, reference);
  if (!found) return { done: 'landed' };
  const { checkout } = found;
  const unread = paymentsToRead(checkout, money);
  const step = landOnCheckout(
    {
      ...newPaymentOf(deps, provider),
      ...{ askedAt, known, state },
      parts: unread.length > 0 ? await deps.ledger.readPayments(checkout.provider, unread) : [],
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

/** Whether this reports a transfer that is recorded as returned, and was asked for after that. */
const isAfterReturn = ({ known, unmatched }: Located, askedAt: Millis): boolean => {
  if (known) return known.outcome !== 'accepted' && askedAt > known.recordedAt;
  return unmatched !== undefined && isReturned(unmatched.money) && askedAt > unmatched.askedAt;
};

/**
 * Takes in a report of a transfer after it was returned. A reinstated transfer lands nowhere by itself: it is saved as unmatched, its
 * provider is asked again, as the report may be stale, and then operators are called.
 */
const landReinstated = async (
  deps: LandDeps,
  report: MoneyReport,
  money: ReportedTransfer,
): Promise<CommitResult<LandingOutcome>> => {
  const { provider, askedAt } = report;
  const reinstated = { ...report, money: asReinstated(money) };
  const located = await deps.ledger.locate(provider, reinstated.money);
  const { known, unmatched } = located;
  if (askedAt < (known?.recordedAt ?? unmatched?.askedAt ?? 0)) return { done: 'landed' };
  if (known) return attemptLanding(deps, reinstated, undefined);
  if (!isReturned(money)) {
    const saved = await saveUnmatched(deps, reinstated, located);
    return saved === 'conflict' ? saved : { done: 'unmatched' };
  }
  // It leaves no trace: the transfer may be reinstated once more, and older reports of that do no harm.
  if (unmatched) await deps.unmatched.forget(unmatched);
  return { done: 'landed' };
};

const attemptLanding = async (
  deps: LandDeps,
  report: MoneyReport,
  assigned: LandingTarget | undefined,
): Promise<CommitResult<LandingOutcome>> => {
  const { provider, money, askedAt } = report;
  const located = await deps.ledger.locate(provider, money);
  const { known, unmatched } = located;
  if (money.kind === 'transfer' && isAfterReturn(located, askedAt)) {
    const outcome = await landReinstated(deps, report, money);
    if (known || outcome === 'conflict') return outcome;
  }
  const target = targetOf(located, report, assigned);
  if (!target) {
    const saved = await saveUnmatched(deps, report, located);
    return saved === 'conflict' ? saved : { done: 'unmatched' };
  }
  if (assigned && nameOfOwner(target.owner) !== nameOfOwner(assigned.owner)) return { done: 'other_owner' };
  const isOlder = unmatched !== undefined && !supersedes(unmatched, money, askedAt);
  if (isOlder && money.kind === 'running_total') return { done: 'stale' };
  const wasReturned = isOlder && isReturned(unmatched.money);
  if (wasReturned && assigned) return { done: 'unmatched' };
  const outcome = await recordOn(deps, target, known, wasReturned ? { ...report, money: unmatched.money } : report);
  // A stale report leaves the money unmatched, and is asked for again. The payment of a transfer takes the entry's place; those of a total have keys of their own.
  const isLanded = typeof outcome === 'object' && outcome.done === 'landed';
  if (isLanded && unmatched) await deps.unmatched.forget(unmatched);
  return outcome;
};

/**
 * The one way in which a provider's money lands, whoever brought the report (architecture.md section 4): recorded once, on the
 * checkout or account that it is for, with its event; or saved as unmatched. `assigned`: operations say whose it is.
 * @throws what untilCommitted throws.
 */
export const landMoney = (
  deps: LandDeps,
  provider: ProviderName,
  money: ReportedMoney,
  { state = 'open', askedAt = 0 }: Answer = {},
  assigned?: LandingTarget,
): Promise<LandingOutcome> =>
  untilCommitted(deps, () => attemptLanding(deps, { provider, money, state, askedAt }, assigned));

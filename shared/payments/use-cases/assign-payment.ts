import type { BusinessStore } from '#shared/businesses/ports.ts';
import { isAskedLive } from '#shared/checkouts/domain/attempt.ts';
import { nameOfOwner, type PaymentOwner } from '#shared/payments/domain/payment.ts';
import { findReportedMoney, type UnmatchedPayment } from '#shared/payments/domain/unmatched-payment.ts';
import { checkoutReference, idSchema } from '#shared/platform/kernel/ids.ts';
import { ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { NotPossible } from '#shared/platform/kernel/not-possible.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import { toCheckoutReference } from '#shared/providers/domain/attempt-reference.ts';
import { isUnanswered, ProviderError } from '#shared/providers/domain/errors.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { isReturned, type Payee, type PaymentReport, type ReportedMoney } from '#shared/providers/domain/report.ts';
import type { LiveProviders } from '#shared/providers/ports.ts';
import { type LandDeps, landMoney } from './land-money.ts';
import { refreshFromProvider } from './match-again.ts';

export interface AssignDeps extends LandDeps {
  readonly businesses: Pick<BusinessStore, 'recordChange'>;
  readonly liveProviders: LiveProviders;
}

/** At most this many are listed. Alarms report unmatched money, so more is not expected. */
const MAX_LISTED = 1_000;

/** Money that matches nothing, oldest first, at most a thousand. */
export const listUnmatched = (deps: Pick<AssignDeps, 'unmatched'>): Promise<readonly UnmatchedPayment[]> =>
  deps.unmatched.oldest(MAX_LISTED);

/** The owner that an id names. Throws NotPossible for an id of neither kind. */
const parseOwnerId = (id: string): PaymentOwner => {
  if (checkoutReference.safeParse(id).success) return { kind: 'checkout', reference: id };
  if (idSchema('va').safeParse(id).success) return { kind: 'virtual_account', id };
  throw new NotPossible(`${id} is neither a checkout reference (PAY-…) nor the id of a virtual account (va_…).`);
};

/** Whether an owner has an account at a provider; undefined for a virtual account that no provider ever issued. */
const isAtProvider = async ({ ledger }: AssignDeps, tenant: Tenant, owner: PaymentOwner, provider: ProviderName) => {
  if (owner.kind === 'checkout') {
    const existing = await ledger.readCheckout(tenant, owner.reference);
    return existing && isAskedLive(provider, existing.checkout);
  }
  const account = (await ledger.readVirtualAccount(tenant, owner.id))?.virtualAccount;
  return account?.status === 'active' || account?.status === 'inactive' ? account.provider === provider : undefined;
};

/** The tenant of a live owner that the money can be assigned to. Throws NotPossible for any other owner. */
const ensureAssignable = async (
  deps: AssignDeps,
  { id, provider, money }: UnmatchedPayment,
  owner: PaymentOwner,
): Promise<Tenant> => {
  const to = nameOfOwner(owner);
  const tenant = await deps.ledger.findTenant(owner);
  if (tenant?.mode !== 'live') throw new NotPossible(`There is no live checkout or virtual account ${to}.`);
  const isThere = await isAtProvider(deps, tenant, owner, provider);
  if (isThere === undefined) {
    throw new NotPossible(`${to} cannot receive money: the provider has issued no account for it. Choose another.`);
  }
  if (!isThere) throw new NotPossible(`${id} came through ${provider}; ${to} is not an account there.`);
  if (owner.kind === 'virtual_account' && money.kind === 'cumulative_report') {
    throw new NotPossible(`${id} was paid for a checkout: assign it to one, not to a virtual account.`);
  }
  return tenant;
};

const nameOfPayee = (payee: Payee): string =>
  payee.by === 'our_reference' ? payee.reference : `the account number ${payee.accountNumber}`;

const wasReturned = ({ id, provider }: UnmatchedPayment): NotPossible =>
  new NotPossible(`${provider} has returned the money of ${id}. Nothing was recorded, and no action is needed.`);

/** Why the provider could not be asked, for the operator; undefined for an error that is not the provider's. */
const providerFailure = ({ id, provider }: UnmatchedPayment, error: unknown): NotPossible | undefined => {
  if (isUnanswered(error)) {
    return new NotPossible(
      `${provider} does not answer, so that nobody knows whether it still keeps ${id}. Nothing was recorded. Assign the payment again when ${provider} answers.`,
      'providers',
    );
  }
  if (error instanceof ProviderError) {
    return new NotPossible(
      `${provider} does not report ${id}. ${error.message} Nothing was recorded. Settle that with ${provider}, then assign the payment again.`,
    );
  }
};

/**
 * The unmatched payment as its provider reports it now. An old report is never assigned, since the money may have been returned since.
 * Throws NotPossible when the provider cannot be asked, does not know of the money, or has returned it.
 */
const askProvider = async (deps: AssignDeps, payment: UnmatchedPayment) => {
  const { id, provider: name } = payment;
  const provider = deps.liveProviders(name);
  if (!provider) {
    throw new NotPossible(
      `${name} is not enabled, so that it cannot be asked whether it still keeps ${id}. Nothing was recorded. Enable it, and assign the payment then.`,
      'providers',
    );
  }
  const askedAt = deps.now();
  let report: PaymentReport | 'unknown' | 'stale';
  try {
    report = await refreshFromProvider(deps, provider, payment);
  } catch (error) {
    throw providerFailure(payment, error) ?? error;
  }
  if (report === 'stale') {
    throw new NotPossible(`${id} changed within the last minute. Nothing was recorded. Assign it again in a minute.`);
  }
  const { money: reported = [], state = 'open' } = report === 'unknown' ? {} : report;
  const money = findReportedMoney(payment, reported);
  if (!money) {
    throw new NotPossible(
      `${name} knows of no such money as ${id} any more. Nothing was recorded. Compare it with the dashboard of ${name}.`,
    );
  }
  if (isReturned(money)) throw wasReturned(payment);
  return { ...payment, money, state, askedAt };
};

/**
 * The unmatched payment after its provider was asked; undefined when it has landed meanwhile on the owner that the operator named (`to`).
 * Throws NotPossible when it landed on another owner, was returned, or is for another payee than the operator was shown.
 */
const ensureStillUnmatched = async (
  { ledger, unmatched }: AssignDeps,
  before: UnmatchedPayment,
  reported: UnmatchedPayment,
  to: string,
): Promise<UnmatchedPayment | undefined> => {
  const { id, provider, source } = before;
  const { money, state, askedAt } = reported;
  const stored = await unmatched.find(provider, source);
  if (stored?.id === id) {
    if (isReturned(stored.money)) throw wasReturned(before);
    // The latest report of a cumulative report is stored there already, be it ours or a newer one.
    const now = stored.money.kind === 'cumulative_report' ? stored : { ...stored, money, state, askedAt };
    if (nameOfPayee(money.payee) === nameOfPayee(before.money.payee)) return now;
    await unmatched.save(now, stored);
    throw new NotPossible(
      `${provider} says by now that ${id} was paid for ${nameOfPayee(money.payee)}. Nothing was recorded. Look at it again before you assign it.`,
      'unmatched_payments',
    );
  }
  const { known, owner } = await ledger.locate(provider, money);
  const actual = known?.owner ?? owner;
  if (actual && nameOfOwner(actual) === to) return undefined;
  if (!actual) throw new NotPossible(`${id} has just changed. Nothing was recorded.`, 'unmatched_payments');
  throw new NotPossible(`${id} has landed on ${nameOfOwner(actual)}, whose it is. Nothing was recorded on ${to}.`);
};

/**
 * Assigns the reference of a cumulative report to a checkout: from now on its reports land there. Nothing to do for other money. Throws
 * NotPossible when it is not unmatched any more, or was assigned to another checkout before.
 */
const assignReference = async ({ ledger }: AssignDeps, unmatched: UnmatchedPayment, to: string) => {
  const { id, money } = unmatched;
  if (money.kind !== 'cumulative_report') return;
  const assigned = await ledger.assignReference(unmatched, money.payee.reference, to);
  if (assigned === 'assigned') return;
  if (assigned === 'changed') throw new NotPossible(`${id} has just changed, or was matched.`, 'unmatched_payments');
  if (assigned === 'has_owner') {
    const own = toCheckoutReference(money.payee.reference);
    throw new NotPossible(`${id} was paid for ${own}, which is open by now: it lands there by itself within the hour.`);
  }
  throw new NotPossible(`${id} adds to money that was assigned to ${assigned.to}: assign it to that one too.`);
};

/** The money that the provider keeps, which is what an operator assigns. Returned parts of a cumulative report land with its next look-up. */
const keptOnly = (money: ReportedMoney): ReportedMoney =>
  money.kind === 'cumulative_report' ? { ...money, returned: ZERO_KOBO } : money;

/**
 * Lands unmatched money on the live checkout or virtual account that an operator names (`to`), as its provider reports it now. It lands
 * like any other money, once and with its event. The audit log is written first; repeating it completes an interrupted assignment.
 * @throws NotPossible when the payment is not unmatched (any more), its provider reports otherwise or cannot be asked, or the owner
 * does not exist or is another provider's.
 */
export const assignPayment = async (
  deps: AssignDeps,
  { paymentId, to, operator }: { paymentId: string; to: string; operator: string },
): Promise<{ payment: UnmatchedPayment; owner: PaymentOwner }> => {
  const owner = parseOwnerId(to);
  const listed = (await listUnmatched(deps)).find(({ id }) => id === paymentId);
  if (!listed) throw new NotPossible(`There is no unmatched payment ${paymentId}.`, 'unmatched_payments');
  const tenant = await ensureAssignable(deps, listed, owner);
  const reported = await askProvider(deps, listed);
  const payment = await ensureStillUnmatched(deps, listed, reported, to);
  if (!payment) return { payment: reported, owner };
  const what = `assigned payment ${paymentId} to ${to}`;
  await deps.businesses.recordChange({
    id: deps.newId('log'),
    businessId: tenant.businessId,
    at: deps.now(),
    who: operator,
    what,
  });
  await assignReference(deps, payment, to);
  const { provider, state, askedAt } = payment;
  const landed = await landMoney(deps, provider, keptOnly(payment.money), { state, askedAt }, { owner, tenant });
  if (landed !== 'landed') {
    throw new NotPossible(`${paymentId} changed while it was assigned. See what became of ${to}.`, 'checkouts');
  }
  return { payment, owner };
};

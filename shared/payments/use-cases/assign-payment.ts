import type { BusinessStore } from '#shared/businesses/ports.ts';
import { hasLiveAttemptAt } from '#shared/checkouts/domain/attempt.ts';
import { getOwnerId, type PaymentOwner } from '#shared/payments/domain/payment.ts';
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

/** Upper bound on listed entries. There are never so many, because alarms call people to unmatched money. */
const MAX_LISTED = 1_000;

/** Lists unmatched money, oldest first, at most a thousand entries. */
export const listUnmatched = (deps: Pick<AssignDeps, 'unmatched'>): Promise<readonly UnmatchedPayment[]> =>
  deps.unmatched.oldest(MAX_LISTED);

/** Parses the id of an owner. @throws NotPossible for any other text. */
const parseOwnerId = (id: string): PaymentOwner => {
  if (checkoutReference.safeParse(id).success) return { kind: 'checkout', reference: id };
  if (idSchema('va').safeParse(id).success) return { kind: 'virtual_account', id };
  throw new NotPossible(`${id} is neither a checkout reference (PAY-…) nor the id of a virtual account (va_…).`);
};

/**
 * Whether an owner can receive money at a provider: a checkout that has asked the provider for an account, or an active or deactivated virtual
 * account of the provider. Undefined if the checkout is still opening, or if the virtual account is opening, pending or failed.
 */
const isAtProvider = async ({ ledger }: AssignDeps, tenant: Tenant, owner: PaymentOwner, provider: ProviderName) => {
  if (owner.kind === 'checkout') {
    const existing = await ledger.readCheckout(tenant, owner.reference);
    return existing && hasLiveAttemptAt(provider, existing.checkout);
  }
  const account = (await ledger.readVirtualAccount(tenant, owner.id))?.virtualAccount;
  return account?.status === 'active' || account?.status === 'inactive' ? account.provider === provider : undefined;
};

/** Finds the tenant of a live owner that the money can be assigned to. @throws NotPossible for any other owner. */
const ensureAssignable = async (
  deps: AssignDeps,
  { id, provider, money }: UnmatchedPayment,
  owner: PaymentOwner,
): Promise<Tenant> => {
  const ownerId = getOwnerId(owner);
  const tenant = await deps.ledger.findTenant(owner);
  if (tenant?.mode !== 'live') throw new NotPossible(`There is no live checkout or virtual account ${ownerId}.`);
  const isThere = await isAtProvider(deps, tenant, owner, provider);
  if (isThere === undefined) {
    throw new NotPossible(
      `${ownerId} cannot receive money: no provider has issued an account for it. Choose another owner.`,
    );
  }
  if (!isThere)
    throw new NotPossible(
      `${id} came through ${provider}, but ${ownerId} has no account there. Choose an owner at ${provider}.`,
    );
  if (owner.kind === 'virtual_account' && money.kind === 'cumulative_report') {
    throw new NotPossible(`${id} was paid for a checkout. Assign it to a checkout, not to a virtual account.`);
  }
  return tenant;
};

const nameOfPayee = (payee: Payee): string =>
  payee.by === 'our_reference' ? payee.reference : `the account number ${payee.accountNumber}`;

const returnedError = ({ id, provider }: UnmatchedPayment): NotPossible =>
  new NotPossible(`${provider} has returned the money of ${id}. Nothing was recorded, and no action is needed.`);

/** Explains a provider's error to the operator; undefined for any other error. */
const providerFailure = ({ id, provider }: UnmatchedPayment, error: unknown): NotPossible | undefined => {
  if (isUnanswered(error)) {
    return new NotPossible(
      `${provider} does not answer, so it is not known whether it still keeps ${id}. Nothing was recorded. Assign the payment again when ${provider} answers.`,
      'providers',
    );
  }
  if (error instanceof ProviderError) {
    return new NotPossible(
      `${provider} does not report ${id}. ${error.message} Nothing was recorded. Clear this up with ${provider}, then assign the payment again.`,
    );
  }
};

/**
 * Asks the provider for the unmatched payment. An old report is never assigned, because the money may have been returned since.
 * @throws NotPossible if the provider cannot be asked, does not report the money, or has returned it.
 */
const askProvider = async (deps: AssignDeps, payment: UnmatchedPayment) => {
  const { id, provider: name } = payment;
  const provider = deps.liveProviders(name);
  if (!provider) {
    throw new NotPossible(
      `${name} is not enabled, so it cannot be asked whether it still keeps ${id}. Nothing was recorded. Enable it, then assign the payment again.`,
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
      `${name} no longer reports the money of ${id}. Nothing was recorded. Look for it in the dashboard of ${name}.`,
    );
  }
  if (isReturned(money)) throw returnedError(payment);
  return { ...payment, money, state, askedAt };
};

/**
 * Reads the unmatched payment again after its provider was asked. Undefined if it has landed meanwhile on the owner that the operator chose (`to`).
 * @throws NotPossible if it landed on another owner, was returned, or has another payee than the operator saw.
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
    if (isReturned(stored.money)) throw returnedError(before);
    // The look-up has saved the cumulative report already. So the stored report is the one from this look-up, or a newer one.
    const current = stored.money.kind === 'cumulative_report' ? stored : { ...stored, money, state, askedAt };
    if (nameOfPayee(money.payee) === nameOfPayee(before.money.payee)) return current;
    await unmatched.save(current, stored);
    throw new NotPossible(
      `${provider} now reports that ${id} was paid for ${nameOfPayee(money.payee)}. Nothing was recorded. Look at it again before you assign it.`,
      'unmatched_payments',
    );
  }
  const { known, owner } = await ledger.locate(provider, money);
  const actual = known?.owner ?? owner;
  if (actual && getOwnerId(actual) === to) return undefined;
  if (!actual) throw new NotPossible(`${id} has just changed. Nothing was recorded.`, 'unmatched_payments');
  throw new NotPossible(`${id} has landed on its owner, ${getOwnerId(actual)}. Nothing was recorded on ${to}.`);
};

/**
 * Assigns the reference of a cumulative report to a checkout, so that its later reports land there. Does nothing for other money.
 * @throws NotPossible if the money is not unmatched any more, or was assigned to another checkout before.
 */
const assignReference = async ({ ledger }: AssignDeps, unmatched: UnmatchedPayment, to: string) => {
  const { id, money } = unmatched;
  if (money.kind !== 'cumulative_report') return;
  const assigned = await ledger.assignReference(unmatched, money.payee.reference, to);
  if (assigned === 'assigned') return;
  if (assigned === 'changed')
    throw new NotPossible(`${id} has just changed or landed. Nothing was recorded.`, 'unmatched_payments');
  if (assigned === 'has_owner') {
    const own = toCheckoutReference(money.payee.reference);
    throw new NotPossible(`${id} was paid for ${own}, which is open now. It lands there by itself within an hour.`);
  }
  throw new NotPossible(
    `${id} belongs to money that was assigned to ${assigned.to}. Assign it to ${assigned.to}, too.`,
  );
};

/** Reduces money to the part that the provider keeps: only that is assigned. Returned parts of a cumulative report land with its next look-up. */
const withoutReturned = (money: ReportedMoney): ReportedMoney =>
  money.kind === 'cumulative_report' ? { ...money, returned: ZERO_KOBO } : money;

/**
 * Lands unmatched money on the live checkout or virtual account that an operator chose (`to`), as its provider reports it now. It lands like any
 * other money, once and with its event. The operators' log is written first. Repeating the call completes an interrupted assignment.
 * @throws NotPossible in each of these cases:
 * - The payment is not unmatched any more, or changes meanwhile.
 * - Its provider cannot be asked, does not report the money, has returned it, or now names another payee.
 * - The owner is no live checkout or virtual account with an account at this provider.
 * - The money is a cumulative report, and the owner is a virtual account, or the report belongs to another checkout.
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
  const landed = await landMoney(deps, provider, withoutReturned(payment.money), { state, askedAt }, { owner, tenant });
  if (landed !== 'landed') {
    throw new NotPossible(`${paymentId} changed while it was assigned. Check what landed on ${to}.`, 'checkouts');
  }
  return { payment, owner };
};

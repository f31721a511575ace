import { referenceOfAttempt } from '#shared/domain/attempt-reference.ts';
import { checkoutReference, idSchema } from '#shared/domain/ids.ts';
import { OperatorError } from '#shared/domain/operator-error.ts';
import type { PaymentOwner } from '#shared/domain/payment.ts';
import type { Tenant } from '#shared/domain/tenant.ts';
import type { UnmatchedPayment } from '#shared/domain/unmatched-payment.ts';
import type { BusinessStore } from '#shared/ports.ts';
import { type LandDeps, landMoney } from './land-money.ts';

export interface AssignDeps extends LandDeps {
  readonly businesses: Pick<BusinessStore, 'note'>;
}

/** More unmatched money than this has not been seen by anybody for a while. */
const LISTED = 1_000;

/** Money that matches nothing, oldest first, at most a thousand. */
export const listUnmatched = (deps: Pick<AssignDeps, 'unmatched'>): Promise<readonly UnmatchedPayment[]> =>
  deps.unmatched.oldest(LISTED);

const ownerOf = (id: string): PaymentOwner => {
  if (checkoutReference.safeParse(id).success) return { kind: 'checkout', reference: id };
  if (idSchema('va').safeParse(id).success) return { kind: 'virtual_account', id };
  throw new OperatorError(`${id} is neither a checkout reference (PAY-…) nor the id of a virtual account (va_…).`);
};

/** The provider of an owner that can take money: not of an account that the provider never issued. */
const providerOf = async ({ ledger }: AssignDeps, tenant: Tenant, owner: PaymentOwner) => {
  if (owner.kind === 'checkout') return (await ledger.readCheckout(tenant, owner.reference))?.checkout.provider;
  const account = (await ledger.readVirtualAccount(tenant, owner.id))?.virtualAccount;
  return account?.status === 'active' || account?.status === 'inactive' ? account.provider : undefined;
};

/**
 * A running total goes on changing: whatever becomes of it lands where its first part was assigned, even if this is all that is
 * done. Throws OperatorError when it is not unmatched any more, or was assigned to another checkout before.
 */
const assignReference = async ({ ledger }: AssignDeps, unmatched: UnmatchedPayment, to: string) => {
  const { id, money } = unmatched;
  if (money.kind !== 'running_total') return;
  const assigned = await ledger.assignReference(unmatched, money.payee.reference, to);
  if (assigned === 'assigned') return;
  if (assigned === 'changed') throw new OperatorError(`${id} has just changed, or was matched. See: unmatched list`);
  if (assigned === 'has_owner') {
    const own = referenceOfAttempt(money.payee.reference);
    throw new OperatorError(
      `${id} was paid for ${own}, which is open by now: it lands there by itself within the hour.`,
    );
  }
  throw new OperatorError(`${id} adds to money that was assigned to ${assigned.to}: assign it to that one too.`);
};

/**
 * Lands unmatched money on the live checkout or virtual account that operations name, in the ordinary way: with its event,
 * once. Who did it is recorded before it is done; doing it again changes nothing.
 * @throws OperatorError when the payment is not unmatched (any more), or the owner does not exist or is another provider's.
 */
export const assignPayment = async (
  deps: AssignDeps,
  { paymentId, to, who }: { paymentId: string; to: string; who: string },
): Promise<{ payment: UnmatchedPayment; owner: PaymentOwner }> => {
  const owner = ownerOf(to);
  const payment = (await listUnmatched(deps)).find(({ id }) => id === paymentId);
  if (!payment) throw new OperatorError(`There is no unmatched payment ${paymentId}. See: unmatched list`);
  const tenant = await deps.ledger.tenantOf(owner);
  if (tenant?.mode !== 'live') throw new OperatorError(`There is no live checkout or virtual account ${to}.`);
  const provider = await providerOf(deps, tenant, owner);
  if (provider === undefined) {
    throw new OperatorError(`${to} takes no money: the provider has issued no account for it. Choose another.`);
  }
  if (provider !== payment.provider) {
    throw new OperatorError(`${paymentId} came through ${payment.provider}; ${to} is not an account there.`);
  }
  if (owner.kind === 'virtual_account' && payment.money.kind === 'running_total') {
    throw new OperatorError(`${paymentId} was paid for a checkout: assign it to one, not to a virtual account.`);
  }
  const what = `assigned payment ${paymentId} to ${to}`;
  await deps.businesses.note({ id: deps.newId('log'), businessId: tenant.businessId, at: deps.now(), who, what });
  await assignReference(deps, payment, to);
  const { provider: name, money, state, askedAt } = payment;
  await landMoney(deps, name, money, { state, askedAt }, { owner, tenant });
  return { payment, owner };
};

import { asReversed, type Payment, paymentFrom } from '#shared/payments/domain/payment.ts';
import type { PaymentReader } from '#shared/payments/ports.ts';
import type { ChangeDeps } from '#shared/payments/use-cases/change-checkout.ts';
import { decidePosting } from '#shared/payments/use-cases/post.ts';
import { postingOn } from '#shared/payments/use-cases/posting.ts';
import { sandboxMoney, sandboxOrigin } from '#shared/payments/use-cases/sandbox-money.ts';
import type { Decision } from '#shared/platform/commit.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import type { Kobo } from '#shared/platform/kernel/money.ts';
import { notFound } from '#shared/platform/kernel/not-found.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import { GIVE_UP_SOON } from '#shared/platform/until-committed.ts';
import { ensureActive, type VirtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';

export interface SimulateVirtualAccountDeps extends ChangeDeps {
  readonly payments: PaymentReader;
}

interface Transfer {
  /** Kobo. */
  readonly amount: Kobo;
  readonly senderName: string | null;
  readonly senderBank: string | null;
}

export interface SimulateVirtualAccountInput {
  readonly id: string;
  /** The transfer that arrives; or `reversed`, if the newest accepted transfer is to be reversed. */
  readonly transfer: Transfer | 'reversed';
}

/** Maximum number of an account's newest payments that are searched for one to reverse. */
const MAX_SEARCHED = 100;

const makeReceived = (
  deps: ChangeDeps,
  { id: accountId, mode, businessId, provider }: VirtualAccount,
  transfer: Transfer,
) => {
  const id = deps.newId('pay');
  const recordedAt = deps.now();
  return paymentFrom(
    { id, recordedAt },
    { mode, businessId, provider, owner: { kind: 'virtual_account', id: accountId } },
    sandboxMoney(transfer, { providerReference: id, paidAt: recordedAt }),
    { origin: sandboxOrigin(id), amount: transfer.amount, outcome: 'accepted', late: false },
  );
};

const reverseLatest = async ({ payments }: SimulateVirtualAccountDeps, { id }: VirtualAccount): Promise<Payment> => {
  const { items } = await payments.listByOwner({ kind: 'virtual_account', id }, { limit: MAX_SEARCHED, after: null });
  const latest = items.find(({ outcome }) => outcome === 'accepted');
  if (!latest) throw new ApiError('nothing_to_reverse');
  return asReversed(latest);
};

const postReceipt = (payment: Payment) => ({
  payment,
  entries: { payment },
  events: [{ type: 'virtual_account.payment_received', payment } as const],
});
const postReversal = (payment: Payment) => ({
  payment,
  entries: { reversed: [payment] },
  events: [{ type: 'virtual_account.payment_reversed', payment } as const],
});

/**
 * Decides to land a transfer on a test virtual account, or to reverse its newest accepted one, with the changes that real money makes. The
 * caller commits the decision (commit.ts).
 * @throws ApiError virtual_account_not_found, virtual_account_inactive, nothing_to_reverse.
 */
export const simulateVirtualAccountPayment = async (
  deps: SimulateVirtualAccountDeps,
  tenant: Tenant,
  { id, transfer }: SimulateVirtualAccountInput,
): Promise<Decision<Payment>> => {
  const stored = await deps.ledger.readVirtualAccount(tenant, id);
  if (!stored) throw notFound('virtual_account_not_found', id);
  const { virtualAccount } = stored;
  const { payment, ...posted } =
    transfer === 'reversed'
      ? postReversal(await reverseLatest(deps, virtualAccount))
      : postReceipt(makeReceived(deps, ensureActive(virtualAccount), transfer));
  const posting = postingOn({ kind: 'virtual_account', ...stored }, posted);
  return { ...decidePosting(deps, posting, payment), giveUp: GIVE_UP_SOON };
};

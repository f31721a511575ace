import * as z from 'zod/mini';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { metadataText } from '#shared/platform/kernel/metadata.ts';
import { mode } from '#shared/platform/kernel/mode.ts';
import { personal } from '#shared/platform/kernel/personal.ts';
import { count, millis, ordinal, text, textOrNull } from '#shared/platform/kernel/schemas.ts';
import { HOUR, MINUTE, type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import { nextProviderRetry } from '#shared/providers/domain/errors.ts';
import { providerName, type ReceivingAccount, receivingAccount } from '#shared/providers/domain/provider.ts';

const base = z.object({
  id: idSchema('va'),
  businessId: idSchema('biz'),
  mode,
  provider: providerName,
  customerName: personal('name', text),
  customerPhone: personal('phone', textOrNull),
  customerEmail: personal('address', textOrNull),
  metadata: metadataText,
  createdAt: millis,
  version: ordinal,
});

/** The provider may or may not have the account; it is asked again at `settleAt`. */
const pending = z.extend(base, { status: z.literal('pending'), settleAt: millis });

/**
 * A deactivated account. If it was pending at that time, `account` is null, and the provider is asked at `settleAt`. If the provider issued
 * the account after all, we close it there.
 */
const inactive = z.extend(base, {
  status: z.literal('inactive'),
  account: z.nullable(receivingAccount),
  deactivatedAt: millis,
  settleAt: z.optional(millis),
});

/** A customer's virtual account at one provider, by status. */
export const virtualAccount = z.discriminatedUnion('status', [
  z.extend(base, { status: z.literal('active'), account: receivingAccount }),
  pending,
  z.extend(base, { status: z.literal('failed') }),
  inactive,
]);
export type VirtualAccount = z.infer<typeof virtualAccount>;
export type VirtualAccountOf<S extends VirtualAccount['status']> = Extract<VirtualAccount, { status: S }>;
export type ActiveVirtualAccount = VirtualAccountOf<'active'>;
export type PendingVirtualAccount = VirtualAccountOf<'pending'>;

/** An account that is being opened at a live provider. Nobody sees it. If its request does not finish, a look-up at `settleAt` settles it. */
export const openingVirtualAccount = z.extend(base, {
  status: z.literal('opening'),
  settleAt: millis,
  version: count,
});
export type OpeningVirtualAccount = z.infer<typeof openingVirtualAccount>;

/** An account that was deactivated while pending and may still be open at the provider. */
export const closingVirtualAccount = z.extend(inactive, { settleAt: millis });
export type ClosingVirtualAccount = z.infer<typeof closingVirtualAccount>;

/** An account with an unknown outcome at the provider. */
export const unsettledVirtualAccount = z.discriminatedUnion('status', [
  pending,
  openingVirtualAccount,
  closingVirtualAccount,
]);
export type UnsettledVirtualAccount = z.infer<typeof unsettledVirtualAccount>;

const FIRST_SETTLE_DELAY = 10 * SECOND;

/** Providers may show an account only some time after they issued it. Its absence is final after this time. */
const ABSENCE_FINAL_AFTER = 30 * MINUTE;

/** Whether an account that the provider does not have now will never exist. `opensWithin`: milliseconds that the provider may take to open an account. */
export const isAbsenceFinal = (
  { createdAt }: UnsettledVirtualAccount,
  now: Millis,
  opensWithin = ABSENCE_FINAL_AFTER,
): boolean => now - createdAt >= opensWithin;

/** Returns when to ask a provider for the first time about an account whose creation timed out. */
export const firstSettleAt = (now: Millis): Millis => now + FIRST_SETTLE_DELAY;

/** Returns when to ask again. The intervals grow to at most half an hour, or to a day if `failure` is a rejection. */
export const nextSettleAt = (account: UnsettledVirtualAccount, now: Millis, failure?: unknown): Millis =>
  nextProviderRetry(account.createdAt, now, FIRST_SETTLE_DELAY, failure);

/** Postpones settling, because the provider does not show the account yet or failed (`failure`). The intervals grow. */
export const postponeSettling = <V extends UnsettledVirtualAccount>(before: V, now: Millis, failure?: unknown): V => ({
  ...before,
  settleAt: nextSettleAt(before, now, failure),
  version: before.version + 1,
});

/** Activates an account that the provider has issued. */
export const activate = (
  { settleAt: _, ...before }: PendingVirtualAccount | OpeningVirtualAccount,
  account: ReceivingAccount,
) => ({ ...before, status: 'active', account, version: before.version + 1 }) satisfies VirtualAccount;

/** Makes an account pending, because the provider's outcome is unknown. It is visible from now on, and a look-up settles it. */
export const markPending = (before: OpeningVirtualAccount, now: Millis): PendingVirtualAccount => ({
  ...before,
  status: 'pending',
  settleAt: firstSettleAt(now),
  version: before.version + 1,
});

/** Marks an account as failed, because the provider does not have it. */
export const markFailed = ({ settleAt: _, ...before }: PendingVirtualAccount | OpeningVirtualAccount) =>
  ({ ...before, status: 'failed', version: before.version + 1 }) satisfies VirtualAccount;

/** Records that the provider has issued an account that was deactivated meanwhile. The process that writes this then closes the account at the provider. */
export const beginClosing = (
  before: ClosingVirtualAccount,
  account: ReceivingAccount,
  now: Millis,
): ClosingVirtualAccount => ({ ...postponeSettling(before, now), account });

/** If a provider has rejected the closing for this long, a person must close the account. */
const CLOSING_GIVEN_UP_AFTER = 72 * HOUR;

/** Whether we stop asking a provider that rejects the closing of an account. */
export const isClosingGivenUp = ({ deactivatedAt }: ClosingVirtualAccount, now: Millis): boolean =>
  now - deactivatedAt >= CLOSING_GIVEN_UP_AFTER;

/** Ends the closing: the account is closed at the provider, or was never issued. */
export const endClosing = ({ settleAt: _, ...before }: ClosingVirtualAccount): VirtualAccountOf<'inactive'> => ({
  ...before,
  version: before.version + 1,
});

/** Deactivates the account. A pending or failed one never had a number. */
export const deactivate = (before: VirtualAccount, now: Millis): VirtualAccountOf<'inactive'> => {
  if (before.status === 'inactive') return before;
  const { id, businessId, mode: m, provider, customerName, customerPhone, customerEmail, metadata, createdAt } = before;
  return {
    id,
    businessId,
    mode: m,
    provider,
    customerName,
    customerPhone,
    customerEmail,
    metadata,
    createdAt,
    status: 'inactive',
    account: before.status === 'active' ? before.account : null,
    deactivatedAt: now,
    ...(before.status === 'pending' && { settleAt: before.settleAt }),
    version: before.version + 1,
  };
};

/**
 * Checks that an account is open.
 * @throws ApiError virtual_account_inactive if it is not.
 */
export const ensureActive = (account: VirtualAccount): ActiveVirtualAccount => {
  if (account.status === 'active') return account;
  throw new ApiError('virtual_account_inactive', { message: `Virtual account is ${account.status}.` });
};

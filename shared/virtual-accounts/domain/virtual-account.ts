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

/** Whether the account exists at the provider is unknown; it is asked again at `settleAt`. */
const pending = z.extend(base, { status: z.literal('pending'), settleAt: millis });

/**
 * Deactivated. If the provider's outcome was unknown then, there is no account yet: the provider is asked at `settleAt`, and an account
 * that it issued after all is closed there.
 */
const inactive = z.extend(base, {
  status: z.literal('inactive'),
  account: z.nullable(receivingAccount),
  deactivatedAt: millis,
  settleAt: z.optional(millis),
});

/** A customer's virtual account at one provider, by status (api-decisions.md section 3). */
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

/** An account that is being opened at a live provider. It is not visible, and settled at `settleAt`. */
export const openingVirtualAccount = z.extend(base, {
  status: z.literal('opening'),
  settleAt: millis,
  version: count,
});
export type OpeningVirtualAccount = z.infer<typeof openingVirtualAccount>;

/** An account that was deactivated while it was pending, and may still be open at the provider. */
export const closingVirtualAccount = z.extend(inactive, { settleAt: millis });
export type ClosingVirtualAccount = z.infer<typeof closingVirtualAccount>;

/** An account whose outcome at the provider is not known yet. */
export const unsettledVirtualAccount = z.discriminatedUnion('status', [
  pending,
  openingVirtualAccount,
  closingVirtualAccount,
]);
export type UnsettledVirtualAccount = z.infer<typeof unsettledVirtualAccount>;

const FIRST_SETTLE_DELAY = 10 * SECOND;

/** A provider may take a while to show an account that it has just issued: its absence is final only after this time. */
const ABSENCE_FINAL_AFTER = 30 * MINUTE;

/** Whether an account that the provider does not have now will never exist. `opensWithin`: milliseconds, for a provider that takes longer. */
export const isAbsenceFinal = (
  { createdAt }: UnsettledVirtualAccount,
  now: Millis,
  opensWithin = ABSENCE_FINAL_AFTER,
): boolean => now - createdAt >= opensWithin;

/** When to ask a provider for the first time about an account whose creation timed out. */
export const firstSettleAt = (now: Millis): Millis => now + FIRST_SETTLE_DELAY;

/** When to ask again, at growing intervals: at most half an hour, or a day when `failure` is a refusal. */
export const nextSettleAt = (account: UnsettledVirtualAccount, now: Millis, failure?: unknown): Millis =>
  nextProviderRetry(account.createdAt, now, FIRST_SETTLE_DELAY, failure);

/** The provider does not show the account yet, or failed (`failure`): it is asked again, at growing intervals. */
export const postponeSettling = <V extends UnsettledVirtualAccount>(before: V, now: Millis, failure?: unknown): V => ({
  ...before,
  settleAt: nextSettleAt(before, now, failure),
  version: before.version + 1,
});

/** The provider has issued the account. */
export const activate = (
  { settleAt: _, ...before }: PendingVirtualAccount | OpeningVirtualAccount,
  account: ReceivingAccount,
) => ({ ...before, status: 'active', account, version: before.version + 1 }) satisfies VirtualAccount;

/** The provider's outcome is unknown: from now on the account is visible, and a look-up settles it. */
export const markPending = (before: OpeningVirtualAccount, now: Millis): PendingVirtualAccount => ({
  ...before,
  status: 'pending',
  settleAt: firstSettleAt(now),
  version: before.version + 1,
});

/** The provider has no such account. */
export const markFailed = ({ settleAt: _, ...before }: PendingVirtualAccount | OpeningVirtualAccount) =>
  ({ ...before, status: 'failed', version: before.version + 1 }) satisfies VirtualAccount;

/** The provider has issued an account that was deactivated before. The process that writes this closes it at the provider. */
export const beginClosing = (
  before: ClosingVirtualAccount,
  account: ReceivingAccount,
  now: Millis,
): ClosingVirtualAccount => ({ ...postponeSettling(before, now), account });

/** When a provider has refused to close an account for this long, a person has to close it. */
const CLOSING_GIVEN_UP_AFTER = 72 * HOUR;

/** Whether a provider's refusal to close the account is final. */
export const isClosingGivenUp = ({ deactivatedAt }: ClosingVirtualAccount, now: Millis): boolean =>
  now - deactivatedAt >= CLOSING_GIVEN_UP_AFTER;

/** Nothing is left to do at the provider: the account is closed there, or was never issued. */
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

/** Refuses to simulate on an account that is not open: `virtual_account_inactive`. */
export const ensureActive = (account: VirtualAccount): ActiveVirtualAccount => {
  if (account.status === 'active') return account;
  throw new ApiError('virtual_account_inactive', { message: `Virtual account is ${account.status}.` });
};

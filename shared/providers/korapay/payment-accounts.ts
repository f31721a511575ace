import { nairaFromKobo } from '#shared/platform/kernel/money.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { parseNaira } from '#shared/providers/common/money.ts';
import { parseAnswer } from '#shared/providers/common/parse-answer.ts';
import { listAttemptReferences } from '#shared/providers/domain/attempt-reference.ts';
import { NoReferenceLeft } from '#shared/providers/domain/errors.ts';
import type { AccountIssuer, IssuedPaymentAccount, PaymentAccountRequest } from '#shared/providers/ports.ts';
import { type Charge, charge, chargePath, issuedAccount } from './charge.ts';
import type { KorapayCall } from './client.ts';
import { parseUtcMoment } from './dates.ts';
import { isDuplicate, isNotFound, toProviderError } from './error-reply.ts';
import { toReceivingAccount } from './virtual-accounts.ts';

const buildCreationBody = (
  accountRequest: PaymentAccountRequest,
  reference: string,
  notificationUrl: string | null,
): unknown => ({
  reference,
  amount: nairaFromKobo(accountRequest.amount),
  currency: 'NGN',
  account_name: accountRequest.accountName,
  customer: { email: accountRequest.payerEmail, name: accountRequest.payerName ?? accountRequest.accountName },
  // Otherwise the payer pays Korapay's fee in addition (providers.md section 3.3).
  merchant_bears_cost: true,
  // Korapay sends the notifications of this charge to this address. The address in its dashboard is for virtual accounts (providers.md section 3.5).
  ...(notificationUrl !== null && { notification_url: notificationUrl }),
});

/**
 * Reads the account of a charge. If Korapay sends no expiry, the account expires at `usualEnd` (milliseconds since the epoch), or at the requested
 * time if that is earlier.
 */
const toIssuedAccount = (
  korapayCharge: Charge,
  accountRequest: PaymentAccountRequest,
  reference: string,
  usualEnd: Millis,
): IssuedPaymentAccount => {
  const account = parseAnswer(issuedAccount, korapayCharge.bank_account);
  return {
    account: toReceivingAccount(account),
    providerReference: reference,
    // The merchant bears the fee, so without `amount_expected` the payer pays the amount itself.
    amountToPay: parseNaira(korapayCharge.amount_expected || nairaFromKobo(accountRequest.amount)),
    expiresAt: parseUtcMoment(account.expiry_date_in_utc) ?? Math.min(accountRequest.expiresAt, usualEnd),
  };
};

/** Whether a payer can still pay into the account of an earlier call. */
const isUsable = (korapayCharge: Charge, accountRequest: PaymentAccountRequest, now: Millis): boolean =>
  korapayCharge.status === 'processing' &&
  (parseUtcMoment(issuedAccount.safeParse(korapayCharge.bank_account).data?.expiry_date_in_utc) ?? 0) > now &&
  (korapayCharge.amount ?? null) !== null &&
  parseNaira(korapayCharge.amount) === accountRequest.amount;

interface PaymentAccountOptions {
  readonly usualLife: Millis;
  readonly notificationUrl: string | null;
  readonly now: () => Millis;
}

/**
 * Creates the function that opens payment accounts (providers.md section 3.3). Korapay accepts a reference only once. If an earlier call has used
 * the reference, its account is returned, provided that a payer can still pay into it. Otherwise the attempt's next reference is tried.
 * `usualLife` is the assumed life of an account, in milliseconds, if Korapay sends no expiry. Korapay sends notifications to `notificationUrl`.
 * The function throws NoReferenceLeft, other ProviderErrors, OutcomeUnknown and ProviderUnavailable.
 */
export const paymentAccounts = (
  call: KorapayCall,
  { usualLife, notificationUrl, now }: PaymentAccountOptions,
): AccountIssuer['createPaymentAccount'] => {
  /** Finds the account of an earlier call; undefined if there is none, or if it is no longer payable. */
  const findEarlierAccount = async (
    accountRequest: PaymentAccountRequest,
    reference: string,
  ): Promise<IssuedPaymentAccount | undefined> => {
    const answer = await call({ method: 'GET', path: chargePath(reference), until: accountRequest.until });
    if (!answer.ok) {
      if (isNotFound(answer)) return undefined;
      throw toProviderError(answer);
    }
    const korapayCharge = parseAnswer(charge, answer.data);
    return isUsable(korapayCharge, accountRequest, now())
      ? toIssuedAccount(korapayCharge, accountRequest, reference, now() + usualLife)
      : undefined;
  };

  return async (accountRequest) => {
    for (const reference of listAttemptReferences(accountRequest.reference)) {
      const body = buildCreationBody(accountRequest, reference, notificationUrl);
      const answer = await call({ method: 'POST', path: '/charges/bank-transfer', body, until: accountRequest.until });
      if (answer.ok)
        return toIssuedAccount(parseAnswer(charge, answer.data), accountRequest, reference, now() + usualLife);
      if (!isDuplicate(answer)) throw toProviderError(answer);
      const earlier = await findEarlierAccount(accountRequest, reference);
      if (earlier) return earlier;
    }
    throw new NoReferenceLeft();
  };
};

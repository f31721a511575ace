import { nairaFromKobo } from '#shared/platform/kernel/money.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { parseNaira } from '#shared/providers/common/money.ts';
import { parseAnswer } from '#shared/providers/common/parse-answer.ts';
import { candidateReferences } from '#shared/providers/domain/attempt-reference.ts';
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
  // Without it the payer pays Korapay's fee on top (providers.md section 3.3).
  merchant_bears_cost: true,
  // A charge's notifications go there; the address in Korapay's dashboard is for virtual accounts (providers.md section 3.5).
  ...(notificationUrl !== null && { notification_url: notificationUrl }),
});

/** The account of a charge. `usualEnd` (milliseconds since the epoch) is its assumed expiry when Korapay sends none. */
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
 * Opens payment accounts (providers.md section 3.3). Korapay accepts a reference only once. If an earlier call used it and its answer was
 * lost, that call's account is returned if it can still be paid into; else the next of `triedReferences` is tried. `usualLife` is how
 * many milliseconds an account is assumed to live when Korapay sends no expiry; `notificationUrl` is where it notifies of money. Throws
 * NoReferenceLeft, other ProviderErrors, OutcomeUnknown and ProviderUnavailable.
 */
export const paymentAccounts = (
  call: KorapayCall,
  { usualLife, notificationUrl, now }: PaymentAccountOptions,
): AccountIssuer['createPaymentAccount'] => {
  /** The account of an earlier call; undefined when there is none or it can no longer be paid into. */
  const resume = async (
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
    for (const reference of candidateReferences(accountRequest.reference)) {
      const body = buildCreationBody(accountRequest, reference, notificationUrl);
      const answer = await call({ method: 'POST', path: '/charges/bank-transfer', body, until: accountRequest.until });
      if (answer.ok)
        return toIssuedAccount(parseAnswer(charge, answer.data), accountRequest, reference, now() + usualLife);
      if (!isDuplicate(answer)) throw toProviderError(answer);
      const earlier = await resume(accountRequest, reference);
      if (earlier) return earlier;
    }
    throw new NoReferenceLeft();
  };
};

import { nairaFromKobo } from '#shared/platform/kernel/money.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { koboOfNaira } from '#shared/providers/common/money.ts';
import { parseAnswer } from '#shared/providers/common/parse-answer.ts';
import { triedReferences } from '#shared/providers/domain/attempt-reference.ts';
import { NoReferenceLeft } from '#shared/providers/domain/errors.ts';
import type { AccountIssuer, IssuedPaymentAccount, PaymentAccountRequest } from '#shared/providers/ports.ts';
import { type Charge, charge, chargePath, issuedAccount } from './charge.ts';
import type { KorapayCall } from './client.ts';
import { utcMomentOf } from './dates.ts';
import { isDuplicate, isNotFound, refusalOf } from './refusal.ts';
import { receivingAccountOf } from './virtual-accounts.ts';

const creationBodyOf = (wanted: PaymentAccountRequest, reference: string, notificationUrl: string | null): unknown => ({
  reference,
  amount: nairaFromKobo(wanted.amount),
  currency: 'NGN',
  account_name: wanted.accountName,
  customer: { email: wanted.payerEmail, name: wanted.payerName ?? wanted.accountName },
  // Without it the payer pays Korapay's fee on top (providers.md section 3.3).
  merchant_bears_cost: true,
  // A charge's notifications go there; the address in Korapay's dashboard is for virtual accounts (providers.md section 3.5).
  ...(notificationUrl !== null && { notification_url: notificationUrl }),
});

/** The account of a charge. `usualEnd` (milliseconds since the epoch) is its assumed expiry when Korapay sends none. */
const issuedOf = (
  made: Charge,
  wanted: PaymentAccountRequest,
  reference: string,
  usualEnd: Millis,
): IssuedPaymentAccount => {
  const account = parseAnswer(issuedAccount, made.bank_account);
  return {
    account: receivingAccountOf(account),
    providerReference: reference,
    // The merchant bears the fee, so without `amount_expected` the payer pays the amount itself.
    amountToPay: koboOfNaira(made.amount_expected || nairaFromKobo(wanted.amount)),
    expiresAt: utcMomentOf(account.expiry_date_in_utc) ?? Math.min(wanted.expiresAt, usualEnd),
  };
};

/** Whether a payer can still pay into the account of an earlier call. */
const isUsable = (made: Charge, wanted: PaymentAccountRequest, now: Millis): boolean =>
  made.status === 'processing' &&
  (utcMomentOf(issuedAccount.safeParse(made.bank_account).data?.expiry_date_in_utc) ?? 0) > now &&
  (made.amount ?? null) !== null &&
  koboOfNaira(made.amount) === wanted.amount;

interface PaymentAccountOptions {
  readonly usualLife: Millis;
  readonly notificationUrl: string | null;
  readonly now: () => Millis;
}

/**
 * Opens payment accounts (providers.md section 3.3). Korapay accepts a reference only once. If an earlier call used it and its answer was
 * lost, that call's account is returned if it can still be paid into; else the next of `triedReferences` is tried. `usualLife` is how
 * many milliseconds an account is assumed to live when Korapay sends no expiry; `notificationUrl` is where it notifies of money. Throws
 * NoReferenceLeft, other ProviderRefusals, OutcomeUnknown and ProviderUnavailable.
 */
export const paymentAccounts = (
  call: KorapayCall,
  { usualLife, notificationUrl, now }: PaymentAccountOptions,
): AccountIssuer['createPaymentAccount'] => {
  /** The account of an earlier call; undefined when there is none or it can no longer be paid into. */
  const resume = async (
    wanted: PaymentAccountRequest,
    reference: string,
  ): Promise<IssuedPaymentAccount | undefined> => {
    const answer = await call({ method: 'GET', path: chargePath(reference), until: wanted.until });
    if (!answer.ok) {
      if (isNotFound(answer)) return undefined;
      throw refusalOf(answer);
    }
    const made = parseAnswer(charge, answer.data);
    return isUsable(made, wanted, now()) ? issuedOf(made, wanted, reference, now() + usualLife) : undefined;
  };

  return async (wanted) => {
    for (const reference of triedReferences(wanted.reference)) {
      const body = creationBodyOf(wanted, reference, notificationUrl);
      const answer = await call({ method: 'POST', path: '/charges/bank-transfer', body, until: wanted.until });
      if (answer.ok) return issuedOf(parseAnswer(charge, answer.data), wanted, reference, now() + usualLife);
      if (!isDuplicate(answer)) throw refusalOf(answer);
      const earlier = await resume(wanted, reference);
      if (earlier) return earlier;
    }
    throw new NoReferenceLeft();
  };
};

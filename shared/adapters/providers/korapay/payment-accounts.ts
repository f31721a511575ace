import { koboOfNaira } from '#shared/adapters/providers/common/money.ts';
import { refused } from '#shared/adapters/providers/common/refusals.ts';
import { attemptReferences } from '#shared/domain/checkouts/attempt-reference.ts';
import { nairaFromKobo } from '#shared/domain/kernel/money.ts';
import type { Millis } from '#shared/domain/kernel/time.ts';
import type { AccountIssuer, IssuedPaymentAccount } from '#shared/ports/providers.ts';
import { type AskKorapay, readAs } from './call.ts';
import { type Charge, charge, chargePath, issuedAccount } from './charge.ts';
import { utcMomentOf } from './dates.ts';
import { isDuplicate, isNotFound, reasonOf } from './refusal.ts';
import { receivingAccountOf } from './virtual-accounts.ts';

type Wanted = Parameters<AccountIssuer['createPaymentAccount']>[0];

const orderOf = (wanted: Wanted, reference: string): unknown => ({
  reference,
  amount: nairaFromKobo(wanted.amount),
  currency: 'NGN',
  account_name: wanted.accountName,
  customer: { email: wanted.payerEmail, name: wanted.accountName },
  // Without it the payer pays Korapay's fee on top (providers.md section 3.3).
  merchant_bears_cost: true,
});

/** `until`: when an account is taken to end of which Korapay does not tell it. */
const issuedOf = (made: Charge, wanted: Wanted, reference: string, until: Millis): IssuedPaymentAccount => {
  const account = readAs(issuedAccount, made.bank_account);
  return {
    account: receivingAccountOf(account),
    providerReference: reference,
    // As the merchant bears the cost, what is expected is the amount itself where Korapay does not repeat it.
    amountToPay: koboOfNaira(made.amount_expected ?? nairaFromKobo(wanted.amount)),
    expiresAt: utcMomentOf(account.expiry_date_in_utc) ?? Math.min(wanted.expiresAt, until),
  };
};

/** Whether a payer can still be sent to the account of an earlier call. */
const isUsable = (made: Charge, wanted: Wanted, now: Millis): boolean =>
  made.status === 'processing' &&
  (utcMomentOf(made.bank_account?.expiry_date_in_utc) ?? 0) > now &&
  (made.amount ?? null) !== null &&
  koboOfNaira(made.amount) === wanted.amount;

/**
 * Opens payment accounts (providers.md section 3.3). Korapay takes a reference once: the account of an earlier call, whose
 * answer was lost, is used where it can be read, else the next of `attemptReferences` is tried. `usualLife`: how long one is counted on that comes without a date, milliseconds.
 */
export const paymentAccounts = (ask: AskKorapay, usualLife: Millis, now: () => Millis) => {
  const resume = async (wanted: Wanted, reference: string): Promise<IssuedPaymentAccount | undefined> => {
    const answer = await ask({ method: 'GET', path: chargePath(reference) });
    if (!answer.done) {
      if (isNotFound(answer)) return undefined;
      throw refused(reasonOf(answer));
    }
    const made = readAs(charge, answer.data);
    return isUsable(made, wanted, now()) ? issuedOf(made, wanted, reference, now() + usualLife) : undefined;
  };

  const open: AccountIssuer['createPaymentAccount'] = async (wanted) => {
    for (const reference of attemptReferences(wanted.reference)) {
      const body = orderOf(wanted, reference);
      const answer = await ask({ method: 'POST', path: '/charges/bank-transfer', body });
      if (answer.done) return issuedOf(readAs(charge, answer.data), wanted, reference, now() + usualLife);
      if (!isDuplicate(answer)) throw refused(reasonOf(answer));
      const earlier = await resume(wanted, reference);
      if (earlier) return earlier;
    }
    throw refused('other');
  };
  return open;
};

import * as z from 'zod/mini';
import { koboOfNaira } from '#shared/adapters/providers/common/money.ts';
import { refused } from '#shared/adapters/providers/common/refusals.ts';
import { attemptReferences } from '#shared/domain/checkouts/attempt-reference.ts';
import { nairaFromKobo } from '#shared/domain/kernel/money.ts';
import { nonEmptyString, text } from '#shared/domain/kernel/schemas.ts';
import { type Millis, SECOND } from '#shared/domain/kernel/time.ts';
import { OutcomeUnknown } from '#shared/domain/providers/errors.ts';
import type { AccountIssuer, IssuedPaymentAccount } from '#shared/ports/providers.ts';
import type { MonnifyCall } from './client.ts';
import type { MonnifySettings } from './description.ts';
import { bodyOf, type Outcome, refusalOf } from './envelope.ts';
import { queryTransaction } from './transaction.ts';

type Wanted = Parameters<AccountIssuer['createPaymentAccount']>[0];

const initialised = z.object({ transactionReference: nonEmptyString });

const naira = z.union([text, z.number()]);

const transferAccount = z.object({
  accountNumber: nonEmptyString,
  accountName: z.nullish(text),
  bankName: z.nullish(text),
  bankCode: z.nullish(text),
  accountDurationSeconds: z.coerce.number().check(z.int(), z.positive()),
  totalPayable: naira,
});

/** The account that the second call gave; `askedAt` is our clock (milliseconds) just before it, as Monnify's names no zone. */
const issuedAccount = (body: unknown, wanted: Wanted, attempt: string, askedAt: Millis): IssuedPaymentAccount => {
  const { totalPayable, accountDurationSeconds, ...given } = bodyOf(transferAccount, body);
  const amountToPay = koboOfNaira(totalPayable);
  // A payer must not be told to send less than is asked for.
  if (amountToPay < wanted.amount) throw new OutcomeUnknown('Monnify asks the payer for less than the amount.');
  return {
    account: {
      accountNumber: given.accountNumber,
      accountName: given.accountName ?? wanted.accountName,
      bankName: given.bankName ?? '',
      bankCode: given.bankCode || null,
      providerId: null,
    },
    providerReference: attempt,
    amountToPay,
    expiresAt: askedAt + accountDurationSeconds * SECOND,
  };
};

/** Payment accounts, in two calls: the transaction is announced, then given an account (providers.md section 2.3). */
export const paymentAccounts = (
  call: MonnifyCall,
  { contractCode }: MonnifySettings,
  now: () => Millis,
): Pick<AccountIssuer, 'createPaymentAccount'> => {
  const announce = (wanted: Wanted, attempt: string): Promise<Outcome> =>
    call({
      method: 'POST',
      path: '/api/v1/merchant/transactions/init-transaction',
      body: {
        amount: nairaFromKobo(wanted.amount),
        customerName: wanted.accountName,
        customerEmail: wanted.payerEmail,
        paymentReference: attempt,
        paymentDescription: wanted.accountName,
        currencyCode: 'NGN',
        contractCode,
        paymentMethods: ['ACCOUNT_TRANSFER'],
      },
    });

  const giveAccount = (transactionReference: string): Promise<Outcome> =>
    call({ method: 'POST', path: '/api/v1/merchant/bank-transfer/init-payment', body: { transactionReference } });

  /** Goes on where an earlier call's answer got lost; undefined when Monnify gives no account under that reference any more. */
  const resume = async (wanted: Wanted, attempt: string): Promise<IssuedPaymentAccount | undefined> => {
    const announced = await queryTransaction(call, { by: 'our_reference', value: attempt });
    if (announced === 'unknown') return undefined;
    const askedAt = now();
    const given = await giveAccount(announced.transactionReference);
    return given.ok ? issuedAccount(given.body, wanted, attempt, askedAt) : undefined;
  };

  return {
    createPaymentAccount: async (wanted) => {
      for (const attempt of attemptReferences(wanted.reference)) {
        const announced = await announce(wanted, attempt);
        if (announced.ok) {
          const { transactionReference } = bodyOf(initialised, announced.body);
          const askedAt = now();
          const given = await giveAccount(transactionReference);
          if (given.ok) return issuedAccount(given.body, wanted, attempt, askedAt);
          throw refusalOf(given.problem);
        }
        if (announced.problem !== 'duplicate_reference') throw refusalOf(announced.problem);
        const resumed = await resume(wanted, attempt);
        if (resumed) return resumed;
      }
      throw refused('other');
    },
  };
};

import * as z from 'zod/mini';
import { nairaFromKobo } from '#shared/platform/kernel/money.ts';
import { type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import { parseNaira } from '#shared/providers/common/money.ts';
import { parseAnswer } from '#shared/providers/common/parse-answer.ts';
import { accountNumber, identifier, name } from '#shared/providers/common/texts.ts';
import { listAttemptReferences } from '#shared/providers/domain/attempt-reference.ts';
import { NoReferenceLeft, OutcomeUnknown } from '#shared/providers/domain/errors.ts';
import type { AccountIssuer, IssuedPaymentAccount, PaymentAccountRequest } from '#shared/providers/ports.ts';
import type { MonnifyCall } from './client.ts';
import type { MonnifySettings } from './description.ts';
import { type Reply, toProviderError } from './envelope.ts';
import { lenientBankCode, naira } from './fields.ts';
import { queryTransaction } from './transaction.ts';

const initialisedTransaction = z.object({ transactionReference: identifier });

const transferAccount = z.object({
  accountNumber,
  accountName: name,
  bankName: name,
  bankCode: lenientBankCode,
  accountDurationSeconds: z.coerce.number().check(z.int(), z.positive()),
  totalPayable: naira,
});

/**
 * Reads the account from the second call's answer. The account's life begins at `askedAt`, our time just before that call (milliseconds since the
 * epoch). Monnify's own expiry is not used, because it has no time zone.
 */
const toIssuedAccount = (
  body: unknown,
  accountRequest: PaymentAccountRequest,
  reference: string,
  askedAt: Millis,
): IssuedPaymentAccount => {
  const { totalPayable, accountDurationSeconds, ...details } = parseAnswer(transferAccount, body);
  const amountToPay = parseNaira(totalPayable);
  // A payer must not pay less than the amount.
  if (amountToPay < accountRequest.amount) throw new OutcomeUnknown('Monnify asks the payer for less than the amount.');
  return {
    account: {
      accountNumber: details.accountNumber,
      accountName: details.accountName ?? accountRequest.accountName,
      bankName: details.bankName ?? '',
      bankCode: details.bankCode,
      providerId: null,
    },
    providerReference: reference,
    amountToPay,
    expiresAt: askedAt + accountDurationSeconds * SECOND,
  };
};

/**
 * Opens payment accounts in two calls: the first initialises a transaction, the second gets its account (providers.md section 2.3). After a lost
 * answer it continues with the earlier transaction if possible; otherwise it uses the attempt's next reference.
 * `createPaymentAccount` throws NoReferenceLeft, other ProviderErrors, OutcomeUnknown and ProviderUnavailable.
 */
export const paymentAccounts = (
  call: MonnifyCall,
  { contractCode }: MonnifySettings,
  now: () => Millis,
): Pick<AccountIssuer, 'createPaymentAccount'> => {
  const initialise = (accountRequest: PaymentAccountRequest, reference: string): Promise<Reply> =>
    call({
      method: 'POST',
      path: '/api/v1/merchant/transactions/init-transaction',
      until: accountRequest.until,
      body: {
        amount: nairaFromKobo(accountRequest.amount),
        customerName: accountRequest.payerName ?? accountRequest.accountName,
        customerEmail: accountRequest.payerEmail,
        paymentReference: reference,
        paymentDescription: accountRequest.accountName,
        currencyCode: 'NGN',
        contractCode,
        paymentMethods: ['ACCOUNT_TRANSFER'],
      },
    });

  const requestAccount = ({ until }: PaymentAccountRequest, transactionReference: string): Promise<Reply> => {
    const path = '/api/v1/merchant/bank-transfer/init-payment';
    return call({ method: 'POST', path, body: { transactionReference }, until });
  };

  /** Gets the account of an earlier transaction; undefined if Monnify knows no such transaction or gives it no account any more. */
  const findEarlierAccount = async (
    accountRequest: PaymentAccountRequest,
    reference: string,
  ): Promise<IssuedPaymentAccount | undefined> => {
    const callInTime: MonnifyCall = (request) => call({ ...request, until: accountRequest.until });
    const earlier = await queryTransaction(callInTime, { by: 'our_reference', value: reference });
    if (earlier === 'unknown') return undefined;
    const askedAt = now();
    const reply = await requestAccount(accountRequest, earlier.transactionReference);
    return reply.ok ? toIssuedAccount(reply.body, accountRequest, reference, askedAt) : undefined;
  };

  return {
    createPaymentAccount: async (accountRequest) => {
      for (const reference of listAttemptReferences(accountRequest.reference)) {
        const transaction = await initialise(accountRequest, reference);
        if (transaction.ok) {
          const { transactionReference } = parseAnswer(initialisedTransaction, transaction.body);
          const askedAt = now();
          const reply = await requestAccount(accountRequest, transactionReference);
          if (reply.ok) return toIssuedAccount(reply.body, accountRequest, reference, askedAt);
          throw toProviderError(reply.problem);
        }
        if (transaction.problem !== 'duplicate_reference') throw toProviderError(transaction.problem);
        const earlier = await findEarlierAccount(accountRequest, reference);
        if (earlier) return earlier;
      }
      throw new NoReferenceLeft();
    },
  };
};

import * as z from 'zod/mini';
import { parseAnswer } from '#shared/providers/common/parse-answer.ts';
import { accountNumber, name } from '#shared/providers/common/texts.ts';
import { OutcomeUnknown } from '#shared/providers/domain/errors.ts';
import type { ReceivingAccount } from '#shared/providers/domain/provider.ts';
import type { AccountIssuer } from '#shared/providers/ports.ts';
import type { MonnifyCall } from './client.ts';
import type { MonnifySettings } from './description.ts';
import { toProviderError } from './envelope.ts';
import { lenientBankCode } from './fields.ts';

const account = z.object({
  bankCode: lenientBankCode,
  bankName: name,
  accountNumber,
  accountName: name,
});

const reservedAccount = z.object({
  accountName: name,
  accounts: z.array(z.unknown()),
});

const encodeReference = (reference: string): string => encodeURIComponent(reference);

/** Chooses the account at our bank, else the first one: Monnify may return several (providers.md section 2.2). */
const chooseAccount = (body: unknown, bank: string): ReceivingAccount => {
  const { accounts: listed, accountName } = parseAnswer(reservedAccount, body);
  // An unreadable account must not hide the others.
  const accounts = listed.flatMap((entry) => account.safeParse(entry).data ?? []);
  const chosen = accounts.find(({ bankCode }) => bankCode === bank) ?? accounts[0];
  if (!chosen) throw new OutcomeUnknown('The answer has no account that can be read.');
  return {
    accountNumber: chosen.accountNumber,
    accountName: chosen.accountName ?? accountName ?? '',
    bankName: chosen.bankName ?? '',
    bankCode: chosen.bankCode,
    providerId: null,
  };
};

/**
 * Creates, finds and closes virtual accounts by our reference. Monnify calls them reserved accounts (providers.md section 2.2). Every function
 * throws ProviderError, OutcomeUnknown and ProviderUnavailable.
 */
export const reservedAccounts = (
  call: MonnifyCall,
  { bank, contractCode }: MonnifySettings,
): Pick<AccountIssuer, 'createAccount' | 'findAccount' | 'closeAccount'> => {
  const find = async (reference: string): Promise<ReceivingAccount | undefined> => {
    const reply = await call({
      method: 'GET',
      path: `/api/v2/bank-transfer/reserved-accounts/${encodeReference(reference)}`,
    });
    if (reply.ok) return chooseAccount(reply.body, bank);
    if (reply.problem === 'not_found') return undefined;
    throw toProviderError(reply.problem);
  };

  /** Finds the account of an earlier call whose answer was lost. @throws OutcomeUnknown if the look-up fails. */
  const findEarlierAccount = async (reference: string): Promise<ReceivingAccount | undefined> => {
    try {
      return await find(reference);
    } catch {
      throw new OutcomeUnknown('Monnify has already opened an account and does not answer which one.');
    }
  };

  return {
    createAccount: async ({ name, email, bvn, nin }, reference) => {
      const reply = await call({
        method: 'POST',
        path: '/api/v2/bank-transfer/reserved-accounts',
        body: {
          accountReference: reference,
          accountName: name,
          currencyCode: 'NGN',
          contractCode,
          customerName: name,
          ...(email !== null && { customerEmail: email }),
          ...(bvn !== null && { bvn }),
          ...(nin !== null && { nin }),
          getAllAvailableBanks: false,
          preferredBanks: [bank],
        },
      });
      if (reply.ok) return chooseAccount(reply.body, bank);
      const { problem } = reply;
      const earlier =
        problem === 'duplicate_reference' || problem === 'second_account'
          ? await findEarlierAccount(reference)
          : undefined;
      if (earlier) return earlier;
      throw toProviderError(problem);
    },

    findAccount: (_customer, reference) => find(reference),

    closeAccount: async (_account, reference) => {
      const reply = await call({
        method: 'DELETE',
        path: `/api/v1/bank-transfer/reserved-accounts/reference/${encodeReference(reference)}`,
      });
      if (!reply.ok && reply.problem !== 'not_found') throw toProviderError(reply.problem);
    },
  };
};

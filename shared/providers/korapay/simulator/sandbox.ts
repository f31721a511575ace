import * as z from 'zod';
import type { Ledger } from '#shared/providers/common/simulator/ledger.ts';
import { parseNaira } from '#shared/providers/common/simulator/money.ts';
import type { Answer, Call, Route } from '#shared/providers/common/simulator/wire.ts';
import { invalidData, korapayError, korapaySuccess } from './envelope.ts';

const SENDER = { senderName: 'Sandbox Payer', senderBank: 'Access Bank' };

const credit = z.object({
  account_number: z.string(),
  amount: z.number().min(100).max(10_000_000),
  currency: z.literal('NGN'),
});

/**
 * Simulates the endpoint of Korapay's sandbox that pays money into a virtual account (providers.md section 3.2). Its answer is not
 * documented.
 */
export const sandboxRoutes = (ledger: Ledger): readonly Route[] => {
  const creditAccount = ({ body }: Call): Answer => {
    const parsed = credit.safeParse(body);
    if (!parsed.success) return invalidData(parsed.error);
    const { account_number: accountNumber } = parsed.data;
    const account = ledger.findByNumber(accountNumber);
    const amount = parseNaira(parsed.data.amount);
    if (account?.provider !== 'korapay' || account.kind !== 'static' || amount === undefined) {
      return korapayError(404, 'Virtual bank account not found');
    }
    return {
      ...korapaySuccess('Virtual bank account credited', null),
      transfers: { accountNumber, amount, ...SENDER },
    };
  };
  return [['POST', /^\/virtual-bank-account\/sandbox\/credit$/, creditAccount]];
};

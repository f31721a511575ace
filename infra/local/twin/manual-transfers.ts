import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import type { Bank } from './bank.ts';
import type { Ledger } from './ledger.ts';
import { koboOfNaira, nairaNumber } from './money.ts';
import { readCall, sendAnswer } from './wire.ts';

const HELP = `This is the provider twin: it behaves like Paystack, Monnify and Korapay, and moves no real money.

GET  /                          this help
POST /pay                       transfers money to an account of any of the three, e.g.
     {"account_number": "2200000001", "amount": 8500.75, "sender_name": "Chidi Eze", "sender_bank": "GTBank"}
     The amount is in naira; the sender may be left out.
/paystack/...                   Paystack's API
/monnify/...                    Monnify's API
/korapay/merchant/api/v1/...    Korapay's API
`;

const order = z.object({
  account_number: z.string(),
  amount: z.union([z.number(), z.string()]),
  sender_name: z.string().optional(),
  sender_bank: z.string().optional(),
});

const WANTED =
  'Send JSON with account_number (a string) and amount (naira, at most two decimals), e.g. {"account_number": "2200000001", "amount": 8500.75}.';

/** What the twin serves beside the providers' APIs: a help text, and transfers that a person makes by hand. */
export const newManualTransfers = (bank: Bank, ledger: Ledger) => {
  const pay = async (body: unknown): Promise<{ status: number; json: unknown }> => {
    const given = order.safeParse(body);
    const amount = given.success ? koboOfNaira(given.data.amount) : undefined;
    if (!given.success || !amount) return { status: 400, json: { error: WANTED } };
    const account = ledger.holder(given.data.account_number);
    if (!account)
      return {
        status: 404,
        json: {
          error:
            'None of the three providers has issued this account number. The twin forgets its accounts when it restarts: create a new checkout.',
        },
      };
    const { transferId, kept } = await bank.pay({
      provider: account.provider,
      accountNumber: account.number,
      amount,
      senderName: given.data.sender_name,
      senderBank: given.data.sender_bank,
    });
    return {
      status: 200,
      json: {
        kept: nairaNumber(kept),
        sent_back: nairaNumber(amount - kept),
        provider: account.provider,
        transfer_id: transferId,
      },
    };
  };

  return async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, path, body } = await readCall(incoming, '');
    if (method === 'GET' && path === '/') response.writeHead(200, { 'content-type': 'text/plain' }).end(HELP);
    else if (method === 'POST' && path === '/pay') {
      const bounced = (error: Error) => ({ status: 409, json: { error: error.message } });
      sendAnswer(response, await pay(body).catch(bounced));
    } else
      sendAnswer(response, {
        status: 404,
        json: { error: 'There is nothing at this address. GET / lists what there is.' },
      });
  };
};

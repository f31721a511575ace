import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { hasExpired, type Ledger } from '#shared/providers/common/simulator/ledger.ts';
import { type Kobo, nairaNumber, nairaText, parseNaira } from '#shared/providers/common/simulator/money.ts';
import { type Answer, type Call, readCall, sendAnswer } from '#shared/providers/common/simulator/wire.ts';
import { mapSimulators } from '#shared/providers/simulators.ts';
import type { Bank } from './bank.ts';
import { type FormValues, type Outcome, TRANSFER_PAGE_HEADERS, transferPage } from './transfer-page.ts';

const HELP = `This is the provider simulator. It behaves like the live providers, and moves no real money.

GET  /                          shows this help
GET  /pay                       shows a form for a browser
POST /pay                       transfers money to an account of any provider, e.g.
     {"account_number": "2200000001", "amount": 8500.75, "sender_name": "Chidi Eze", "sender_bank": "GTBank"}
     The amount is in naira. The sender may be left out.

APIs of the providers:
${Object.values(mapSimulators((name, { path }) => `/${name}${path}/...`)).join('\n')}
`;

const optionalText = z
  .string()
  .transform((text) => text.trim() || undefined)
  .optional();
const order = z.object({
  account_number: z.string().trim(),
  amount: z.union([z.number(), z.string()]),
  sender_name: optionalText,
  sender_bank: optionalText,
});

const JSON_HINT =
  'Send JSON with account_number (a string) and amount (naira, at most two decimals), e.g. {"account_number": "2200000001", "amount": 8500.75}.';
const FORM_HINT = 'Enter an account number and an amount in naira, with at most two decimals.';
const UNKNOWN_ACCOUNT =
  'No provider has issued this account number. The simulator loses its accounts when it restarts. Start a new checkout.';

type Transfer =
  | {
      readonly status: 200;
      readonly provider: string;
      readonly transferId: string;
      readonly kept: Kobo;
      readonly amount: Kobo;
    }
  | { readonly status: 400 | 404 | 409; readonly error: string };

const readFormValues = (fields: URLSearchParams): FormValues => ({
  accountNumber: fields.get('account_number') ?? '',
  amount: fields.get('amount') ?? '',
  senderName: fields.get('sender_name') ?? '',
  senderBank: fields.get('sender_bank') ?? '',
});

const describeTransfer = (transfer: Transfer): Outcome => {
  if (transfer.status !== 200) return { isDone: false, sentence: transfer.error };
  const { provider, kept, amount, transferId } = transfer;
  const returned = amount - kept;
  const sentBack = returned === 0 ? '' : ` and sent ₦${nairaText(returned)} back`;
  return { isDone: true, sentence: `${provider} keeps ₦${nairaText(kept)}${sentBack}. Session id: ${transferId}.` };
};

const toJsonAnswer = (transfer: Transfer): Answer =>
  transfer.status === 200
    ? {
        status: 200,
        json: {
          kept: nairaNumber(transfer.kept),
          sent_back: nairaNumber(transfer.amount - transfer.kept),
          provider: transfer.provider,
          transfer_id: transfer.transferId,
        },
      }
    : { status: transfer.status, json: { error: transfer.error } };

const isForm = ({ headers }: Call): boolean =>
  headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;

/** Serves the simulator's help text, and transfers by hand. */
export const newManualTransfers = (bank: Bank, ledger: Ledger, now: () => number) => {
  const transfer = async (body: unknown, hint: string): Promise<Transfer> => {
    const parsed = order.safeParse(body);
    const amount = parsed.success ? parseNaira(parsed.data.amount) : undefined;
    if (!parsed.success || !amount) return { status: 400, error: hint };
    const account = ledger.findByNumber(parsed.data.account_number);
    if (!account) return { status: 404, error: UNKNOWN_ACCOUNT };
    const { provider, number: accountNumber } = account;
    const { sender_name: senderName, sender_bank: senderBank } = parsed.data;
    try {
      const { transferId, keptAmount } = await bank.pay({
        provider,
        accountNumber,
        amount,
        senderName,
        senderBank,
      });
      return { status: 200, provider, transferId, kept: keptAmount, amount };
    } catch (error) {
      return { status: 409, error: error instanceof Error ? error.message : 'The transfer bounced.' };
    }
  };

  const makePage = (status: number, values: FormValues, outcome?: Outcome): Answer => {
    const open = ledger.accounts().filter((account) => account.open && !hasExpired(account, now()));
    return { status, headers: TRANSFER_PAGE_HEADERS, html: transferPage(values, open, outcome) };
  };

  const payInForm = async ({ text }: Call): Promise<Answer> => {
    const fields = new URLSearchParams(text);
    const result = await transfer(Object.fromEntries(fields), FORM_HINT);
    // After a transfer the form is empty, so that nobody makes the same transfer twice.
    const values = result.status === 200 ? readFormValues(new URLSearchParams()) : readFormValues(fields);
    return makePage(result.status, values, describeTransfer(result));
  };

  return async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const call = await readCall(incoming, '');
    switch (`${call.method} ${call.path}`) {
      case 'GET /':
        response.writeHead(200, { 'content-type': 'text/plain' }).end(HELP);
        return;
      case 'GET /pay':
        return sendAnswer(response, makePage(200, readFormValues(call.query)));
      case 'POST /pay':
        return sendAnswer(
          response,
          isForm(call) ? await payInForm(call) : toJsonAnswer(await transfer(call.body, JSON_HINT)),
        );
      default:
        return sendAnswer(response, {
          status: 404,
          json: { error: 'There is nothing at this address. GET / shows the help.' },
        });
    }
  };
};

import * as z from 'zod/mini';
import { text } from '#shared/platform/kernel/schemas.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { feeIfValid, isNaira, koboIfValid, koboOf, leftOutOf } from '#shared/providers/common/money.ts';
import { accountNumber, name, writtenReference } from '#shared/providers/common/texts.ts';
import { OutcomeUnknown } from '#shared/providers/domain/errors.ts';
import type { Payee, ReportedTransfer } from '#shared/providers/domain/report.ts';
import { VIRTUAL_ACCOUNT_CHANNEL } from './channels.ts';
import { referenceOfAddress } from './customer-address.ts';
import { idText, timeOrNull } from './fields.ts';

const receiver = z.catch(z.nullable(accountNumber), null);

/** A transaction as a look-up shows it (providers.md section 1.4). */
export const transaction = z.object({
  id: idText,
  status: text,
  reference: writtenReference,
  channel: z.catch(text, ''),
  currency: z.optional(z.unknown()),
  amount: z.optional(z.unknown()),
  requested_amount: z.optional(z.unknown()),
  fees: z.optional(z.unknown()),
  paid_at: timeOrNull,
  paidAt: timeOrNull,
  created_at: timeOrNull,
  createdAt: timeOrNull,
  // Both may be "", 0 or null (providers.md section 1.5).
  metadata: z.catch(z.nullable(z.object({ receiver_account_number: receiver })), null),
  authorization: z.catch(
    z.nullable(z.object({ sender_name: name, sender_bank: name, receiver_bank_account_number: receiver })),
    null,
  ),
  customer: z.catch(z.nullable(z.object({ email: text })), null),
});
export type Transaction = z.infer<typeof transaction>;

/** Whether a transaction's money came into a virtual account. */
export const isVirtual = ({ channel }: Pick<Transaction, 'channel'>): boolean => channel === VIRTUAL_ACCOUNT_CHANNEL;

/** Whom money is for. On a payment account our reference says it; on a virtual account its number, else its customer's address. */
const payeeOf = (found: Transaction, domain: string): Payee => {
  if (!isVirtual(found)) return { by: 'our_reference', reference: found.reference };
  const number = found.authorization?.receiver_bank_account_number ?? found.metadata?.receiver_account_number;
  if (number) return { by: 'account_number', accountNumber: number };
  const account = referenceOfAddress(found.customer?.email ?? '', domain);
  if (account === undefined) throw new OutcomeUnknown('The transaction does not say whom it is for.');
  return { by: 'our_reference', reference: account };
};

/** The time of payment in milliseconds since the epoch; the time of creation when it is missing, which never makes a payment late. */
const paidAtOf = ({ paid_at, paidAt, created_at, createdAt }: Transaction): Millis => {
  const at = paid_at ?? paidAt ?? created_at ?? createdAt;
  if (at === null) throw new OutcomeUnknown('The transaction has no time.');
  return at;
};

/** The transfer that a transaction is; `domain`: that of our customers' addresses. @throws OutcomeUnknown when its money cannot be read. */
export const transferOf = (
  found: Transaction,
  outcome: ReportedTransfer['outcome'],
  domain: string,
): ReportedTransfer => {
  if (!isNaira(found.currency)) throw new OutcomeUnknown('The transaction is not in naira.');
  const amount = koboOf(found.amount);
  const requested = koboIfValid(koboOf, found.requested_amount);
  return {
    kind: 'transfer',
    transferId: found.id,
    providerReference: found.reference,
    payee: payeeOf(found, domain),
    outcome,
    amount,
    asked: isVirtual(found) ? undefined : requested,
    // A refund of a part may lower the amount (not confirmed). Paystack takes what was requested, and no other amount.
    leftOut: leftOutOf(amount, requested),
    fee: feeIfValid(koboOf, found.fees),
    paidAt: paidAtOf(found),
    senderName: found.authorization?.sender_name ?? null,
    senderBank: found.authorization?.sender_bank ?? null,
  };
};

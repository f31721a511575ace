import * as z from 'zod/mini';
import { text } from '#shared/platform/kernel/schemas.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import {
  computeRefundedBefore,
  isNaira,
  parseFeeIfValid,
  parseKobo,
  parseKoboIfValid,
} from '#shared/providers/common/money.ts';
import { accountNumber, name, writtenReference } from '#shared/providers/common/texts.ts';
import { OutcomeUnknown } from '#shared/providers/domain/errors.ts';
import type { Payee, ReportedTransfer } from '#shared/providers/domain/report.ts';
import { VIRTUAL_ACCOUNT_CHANNEL } from './channels.ts';
import { parseCustomerAddress } from './customer-address.ts';
import { idText, timeOrNull } from './fields.ts';

const receiver = z.catch(z.nullable(accountNumber), null);

/** A transaction in a look-up (providers.md section 1.4). */
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

/**
 * Reads the payee. For a payment account it is our reference. For a virtual account it is the account number; if that is missing, it is our
 * reference within the customer's e-mail address.
 */
const readPayee = (payment: Transaction, domain: string): Payee => {
  if (!isVirtual(payment)) return { by: 'our_reference', reference: payment.reference };
  const number = payment.authorization?.receiver_bank_account_number ?? payment.metadata?.receiver_account_number;
  if (number) return { by: 'account_number', accountNumber: number };
  const reference = parseCustomerAddress(payment.customer?.email ?? '', domain);
  if (reference === undefined) throw new OutcomeUnknown('The transaction names no payee.');
  return { by: 'our_reference', reference };
};

/**
 * Reads the time of payment in milliseconds since the epoch. If it is missing, it returns the earlier time of creation, so that no payment is
 * late by mistake.
 */
const readPaidAt = ({ paid_at, paidAt, created_at, createdAt }: Transaction): Millis => {
  const at = paid_at ?? paidAt ?? created_at ?? createdAt;
  if (at === null) throw new OutcomeUnknown('The transaction has no time.');
  return at;
};

/** Converts a transaction to a transfer. `domain` is the domain of our customers' addresses. @throws OutcomeUnknown if its money cannot be read. */
export const toTransfer = (
  payment: Transaction,
  outcome: ReportedTransfer['outcome'],
  domain: string,
): ReportedTransfer => {
  if (!isNaira(payment.currency)) throw new OutcomeUnknown('The transaction is not in naira.');
  const amount = parseKobo(payment.amount);
  const requested = parseKoboIfValid(parseKobo, payment.requested_amount);
  return {
    kind: 'transfer',
    transferId: payment.id,
    providerReference: payment.reference,
    payee: readPayee(payment, domain),
    outcome,
    amount,
    asked: isVirtual(payment) ? undefined : requested,
    // Paystack accepts only the requested amount. So if the amount is lower, the difference was refunded (not confirmed).
    leftOut: computeRefundedBefore(amount, requested),
    fee: parseFeeIfValid(parseKobo, payment.fees),
    paidAt: readPaidAt(payment),
    senderName: payment.authorization?.sender_name ?? null,
    senderBank: payment.authorization?.sender_bank ?? null,
  };
};

import * as z from 'zod/mini';
import { text } from '#shared/platform/kernel/schemas.ts';
import { bankCode, identifier, name, toOurReference } from '#shared/providers/common/texts.ts';

/* Schemas of the fields that Monnify's answers, list rows and notifications share. */

/** An optional text, such as a date; null if it is absent or no text. */
export const lenientText = z.catch(z.nullish(text), null);

/** A status or kind, converted to upper case; empty if it is absent or no text. */
export const word = z.pipe(
  lenientText,
  z.transform((value) => (value ?? '').trim().toUpperCase()),
);

/** Naira as a number or a text: Monnify sends both. */
export const naira = z.union([text, z.number()]);
/** Naira as a number or a text; null if it is absent or neither. */
export const optionalNaira = z.catch(z.nullish(naira), null);

/** An id of Monnify's; null if it is absent or cannot be read. */
export const optionalIdentifier = z.catch(z.nullish(identifier), null);

/** The reference of a payment. A reference of ours is converted to our spelling, any other reference stays as written. */
export const payeeReference = z.pipe(
  z.pipe(
    text,
    z.transform((value) => toOurReference(value) ?? value),
  ),
  identifier,
);
/** The reference of a payment; null if it is absent or cannot be read. */
export const optionalPayee = z.catch(z.nullish(payeeReference), null);

/** A bank's code. In an old sample it is a number, which lacks the leading zeros of a three-digit code. */
export const lenientBankCode = z.pipe(
  z.pipe(
    z.optional(z.unknown()),
    z.transform((code) => (typeof code === 'number' ? String(code).padStart(3, '0') : code)),
  ),
  bankCode,
);

/** The sender of money. Every field may be absent or blank. */
const sender = z.object({
  accountName: name,
  bankName: name,
  bankCode: lenientBankCode,
  amountPaid: optionalNaira,
  sessionId: optionalIdentifier,
});
export type Sender = z.infer<typeof sender>;

/** The senders of a transaction. Monnify sends an array, one object, an empty object or nothing (providers.md section 2.5). */
export const senders = z.pipe(
  z.optional(z.unknown()),
  z.transform((listed): readonly Sender[] => {
    if (typeof listed !== 'object' || listed === null) return [];
    // An entry that is no object becomes a sender without any fields.
    return [listed].flat().map((entry) => sender.safeParse(entry).data ?? sender.parse({}));
  }),
);

/** Converts a sender to our fields. `senderBank` is the name of the bank, else its code, else null. */
export const toSenderFields = (
  sender: Sender | undefined,
): { senderName: string | null; senderBank: string | null } => ({
  senderName: sender?.accountName ?? null,
  senderBank: sender?.bankName ?? sender?.bankCode ?? null,
});

/** The product of a transaction: a virtual account with its reference, or something else. */
export const product = z.catch(z.nullish(z.object({ type: word, reference: optionalPayee })), null);

/** The product type of a virtual account. A transaction with any other type was initialised by us. */
export const RESERVED_ACCOUNT = 'RESERVED_ACCOUNT';

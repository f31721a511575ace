import * as z from 'zod/mini';
import { text } from '#shared/platform/kernel/schemas.ts';
import { bankCode, identifier, name, ourReference } from '#shared/providers/common/texts.ts';

/* The fields of Monnify's answers, list rows and notifications, each read the same way wherever it stands. */

/** A text that only decides, such as a date; null when it is absent or no text. */
export const lenientText = z.catch(z.nullish(text), null);

/** A status or kind that only decides, in upper case; empty when it is absent or no text. */
export const word = z.pipe(
  lenientText,
  z.transform((value) => (value ?? '').trim().toUpperCase()),
);

/** Naira as a number or as text, since Monnify sends both. */
export const naira = z.union([text, z.number()]);
/** The same; null when it is absent or neither. */
export const optionalNaira = z.catch(z.nullish(naira), null);

/** An id of Monnify's; null when it is absent or cannot be read. */
export const optionalIdentifier = z.catch(z.nullish(identifier), null);

/** A reference that money is paid under: ours in our spelling, whatever Monnify makes of it, else somebody's as it stands. */
export const payeeReference = z.pipe(
  z.pipe(
    text,
    z.transform((value) => ourReference(value) ?? value),
  ),
  identifier,
);
/** The same; null when it is absent or cannot be read. */
export const optionalPayee = z.catch(z.nullish(payeeReference), null);

/** A bank's code. An old sample has it as a number, which has lost the zeros that a code of three digits begins with. */
export const lenientBankCode = z.pipe(
  z.pipe(
    z.optional(z.unknown()),
    z.transform((code) => (typeof code === 'number' ? String(code).padStart(3, '0') : code)),
  ),
  bankCode,
);

/** Who sent money. Every field may be absent or blank. */
const sender = z.object({
  accountName: name,
  bankName: name,
  bankCode: lenientBankCode,
  amountPaid: optionalNaira,
  sessionId: optionalIdentifier,
});
export type Sender = z.infer<typeof sender>;

/** The senders of a transaction: Monnify sends an array, one object, an empty one or nothing (providers.md section 2.5). */
export const senders = z.pipe(
  z.optional(z.unknown()),
  z.transform((listed): readonly Sender[] => {
    if (typeof listed !== 'object' || listed === null) return [];
    // An entry that is no object is a sender of whom nothing is known.
    return [listed].flat().map((entry) => sender.safeParse(entry).data ?? sender.parse({}));
  }),
);

/** The sender's name and bank. The bank is its name, else its code, else null. */
export const toSenderFields = (
  sender: Sender | undefined,
): { senderName: string | null; senderBank: string | null } => ({
  senderName: sender?.accountName ?? null,
  senderBank: sender?.bankName ?? sender?.bankCode ?? null,
});

/** What a transaction is for: a virtual account under its reference, or something else. */
export const product = z.catch(z.nullish(z.object({ type: word, reference: optionalPayee })), null);

/** The product type of a virtual account. Any other one is a transaction that we initialised. */
export const RESERVED_ACCOUNT = 'RESERVED_ACCOUNT';

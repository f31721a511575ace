import * as z from 'zod/mini';
import { text } from '#shared/platform/kernel/schemas.ts';
import {
  accountNumber,
  bankCode,
  identifier,
  name,
  toOurReference,
  writtenReference,
} from '#shared/providers/common/texts.ts';

/* Schemas of the fields that Korapay's answers, lists and notifications share. */

/** A text that may be absent or null, such as an event. It is never stored. */
export const optionalText = z.nullish(text);

/** A status, converted to lower case. May be absent or null. */
export const status = z.pipe(
  optionalText,
  z.transform((written) => written?.trim().toLowerCase()),
);

/** A reference that may be absent, null or empty. */
export const optionalReference = z.nullish(
  z.union([
    z.pipe(
      z.literal(''),
      z.transform(() => undefined),
    ),
    writtenReference,
  ]),
);

/** A reference that may be absent, null, empty or unreadable. */
export const referenceIfReadable = z.catch(optionalReference, undefined);

/** An optional id; null if it is absent or cannot be read. */
const idOrNull = z.pipe(
  z.optional(z.unknown()),
  z.transform((id) => identifier.safeParse(id).data ?? null),
);

/** An account number with its bank. It has the same form in all of Korapay's answers. */
export const korapayAccount = z.object({
  account_number: accountNumber,
  account_name: name,
  bank_name: name,
  bank_code: bankCode,
  unique_id: idOrNull,
});

/** Naira as a number or a text: Korapay sends both (providers.md section 3.1). May be absent, null or empty. */
export const optionalNaira = z.nullish(z.union([z.number(), z.string()]));

/** The two references of a charge, in either order. */
interface References {
  readonly reference?: string | null | undefined;
  readonly payment_reference?: string | null | undefined;
}

/**
 * Distinguishes a charge's references. Korapay's pages disagree on whether `reference` or `payment_reference` is the merchant's (providers.md
 * section 3.4), so their forms decide: `ours` has our form in any spelling, and `korapays` begins with `KPY-`. `merchants` is the reference
 * under which we or somebody else opened the charge.
 */
export const classifyReferences = ({ reference: first, payment_reference: second }: References) => {
  const references = [first, second].filter(
    (reference) => typeof reference === 'string' && reference !== '',
  ) as string[];
  const ours = references.find((reference) => toOurReference(reference) !== undefined);
  const korapays = references.find((reference) => /^KPY-/i.test(reference));
  return { ours, korapays, merchants: ours ?? references.find((reference) => reference !== korapays) ?? references[0] };
};

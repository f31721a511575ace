import { readableText } from '#shared/contract/kernel/request-fields.ts';
import { normalReference } from '#shared/domain/checkouts/merchant-reference.ts';

const LONGEST = 100;

/** A merchant's own reference. Parsed to the form in which it is stored, compared and answered. */
export const merchantReference = readableText(LONGEST, normalReference);

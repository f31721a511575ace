import { normalizeReference } from '#shared/checkouts/domain/merchant-reference.ts';
import { readableText } from '#shared/platform/contract/request-fields.ts';

const LONGEST = 100;

/** A merchant's own reference. Parsed to the form in which it is stored, compared and answered. */
export const merchantReference = readableText(LONGEST, normalizeReference);

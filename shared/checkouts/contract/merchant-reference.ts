import { normalizeReference } from '#shared/checkouts/domain/merchant-reference.ts';
import { readableText } from '#shared/platform/contract/request-fields.ts';

const LONGEST = 100;

/** A merchant's own reference, parsed to its normalized form, in which it is stored, compared and returned. */
export const merchantReference = readableText(LONGEST, normalizeReference);

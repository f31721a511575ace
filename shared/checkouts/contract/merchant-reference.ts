import { normalizeReference } from '#shared/checkouts/domain/merchant-reference.ts';
import { readableText } from '#shared/platform/contract/request-fields.ts';

/** Maximum number of characters of a merchant reference. */
const MAX_LENGTH = 100;

/** A merchant's own reference, parsed to its normalized form, in which it is stored, compared and returned. */
export const merchantReference = readableText(MAX_LENGTH, normalizeReference);

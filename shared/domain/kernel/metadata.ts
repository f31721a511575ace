import * as z from 'zod/mini';
import { text } from './schemas.ts';

export const MAX_METADATA_BYTES = 2_048;

/** A business's own JSON object, kept as text: it is opaque to us, and DynamoDB's types would not give every number back. */
export const metadataText = z.nullable(text.check(z.maxLength(MAX_METADATA_BYTES)));

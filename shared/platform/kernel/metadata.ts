import * as z from 'zod/mini';
import { personal } from './personal.ts';
import { text } from './schemas.ts';

export const MAX_METADATA_BYTES = 2_048;

/** A business's own JSON object, stored as a text, because DynamoDB's number type does not preserve every number. */
export const metadataText = personal('metadata', z.nullable(text.check(z.maxLength(MAX_METADATA_BYTES))));

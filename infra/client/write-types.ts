import { writeFileSync } from 'node:fs';
import { writeClientTypes } from './types.ts';

/** The file with the types of the client. */
export const TYPES_FILE = 'shared/client/types.ts';

if (import.meta.main) writeFileSync(TYPES_FILE, writeClientTypes());

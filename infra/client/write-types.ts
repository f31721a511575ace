import { writeFileSync } from 'node:fs';
import { clientTypes } from './types.ts';

/** The file with the types of the client. */
export const TYPES = 'shared/client/types.ts';

if (import.meta.main) writeFileSync(TYPES, clientTypes());

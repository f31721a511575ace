import { writeFileSync } from 'node:fs';
import { clientTypes } from './types.ts';

/** Where the types of the client are kept. */
export const TYPES = 'shared/client/types.ts';

if (import.meta.main) writeFileSync(TYPES, clientTypes());

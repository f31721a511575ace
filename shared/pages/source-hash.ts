import { createHash } from 'node:crypto';

/** Returns the hash source by which a content security policy allows a script or style (CSP Level 3, section 2.3.1). */
export const sourceHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

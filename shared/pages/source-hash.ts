import { createHash } from 'node:crypto';

/** A script or style as a content security policy allows it by its hash (CSP Level 3, section 2.3.1). */
export const sourceHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

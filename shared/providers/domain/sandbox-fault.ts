import * as z from 'zod/mini';
import { providerName } from './provider.ts';

/** The way in which a test-mode provider fails every request: it takes 3 s, refuses, or never answers. */
const sandboxFault = z.enum(['slow', 'refusing', 'silent']);
export type SandboxFault = z.infer<typeof sandboxFault>;

/** The test-mode providers that should fail. */
export const sandboxFaults = z.partialRecord(providerName, sandboxFault);
export type SandboxFaults = z.infer<typeof sandboxFaults>;

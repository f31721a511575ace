import * as z from 'zod/mini';
import { providerName } from './provider.ts';

/** How a provider of test mode fails all that it is asked: it takes 3 s, refuses, or never answers. */
const sandboxFault = z.enum(['slow', 'refusing', 'silent']);
export type SandboxFault = z.infer<typeof sandboxFault>;

/** The providers of test mode that are to fail. */
export const sandboxFaults = z.partialRecord(providerName, sandboxFault);
export type SandboxFaults = z.infer<typeof sandboxFaults>;

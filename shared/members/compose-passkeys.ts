import type * as z from 'zod/mini';
import { passkeyVerifier } from '#shared/members/passkeys/passkey-verifier.ts';
import type { tableEnv } from '#shared/platform/env.ts';
import { passkeyDeps } from './compose.ts';

/* This wiring has a file of its own, because the library that verifies passkeys is large, and no other function of the members should load it. */

/** Builds the dependencies of use-passkey and add-passkey, which verify signatures. */
export const verifiedPasskeyDeps = (env: z.infer<typeof tableEnv>) => ({
  ...passkeyDeps(env),
  passkeys: passkeyVerifier,
});

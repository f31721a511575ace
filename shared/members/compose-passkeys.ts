import type * as z from 'zod/mini';
import { passkeyVerifier } from '#shared/members/passkeys/passkey-verifier.ts';
import type { tableEnv } from '#shared/platform/env.ts';
import { passkeyDeps } from './compose.ts';

/* Apart from the members' other functions, because the library that verifies passkeys is large. */

/** Builds the dependencies of use-passkey and add-passkey, which verify signatures. */
export const verifiedPasskeyDeps = (env: z.infer<typeof tableEnv>) => ({
  ...passkeyDeps(env),
  passkeys: passkeyVerifier,
});

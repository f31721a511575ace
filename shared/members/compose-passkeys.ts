import type * as z from 'zod/mini';
import { passkeyVerifier } from '#shared/members/passkeys/passkey-verifier.ts';
import type { tableEnv } from '#shared/platform/env.ts';
import { passkeyDeps } from './compose.ts';

/* Apart from the other functions of members: the library that verifies passkeys is large. */

/** use-passkey, add-passkey: verify what was signed. */
export const verifiedPasskeyDeps = (env: z.infer<typeof tableEnv>) => ({
  ...passkeyDeps(env),
  passkeys: passkeyVerifier,
});

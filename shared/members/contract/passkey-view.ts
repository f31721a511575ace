import * as z from 'zod/mini';
import { CHALLENGE_LIFETIME } from '#shared/members/domain/challenge.ts';
import type { Passkey } from '#shared/members/domain/passkey.ts';
import type { User } from '#shared/members/domain/user.ts';
import { instant } from '#shared/platform/contract/answer-fields.ts';
import { text } from '#shared/platform/kernel/schemas.ts';
import { isoMicros } from '#shared/platform/kernel/time.ts';

/* Shows passkeys in the fields of the API. A browser parses the options with PublicKeyCredential.parseCreationOptionsFromJSON. */

/** A passkey as its owner sees it. */
export const passkeyAnswer = z.object({
  id: text,
  name: text,
  added_at: instant,
  last_used_at: z.nullable(instant),
  /** The time from which the passkey may change live mode. */
  live_from: instant,
});
export const passkeysAnswer = z.object({ passkeys: z.array(passkeyAnswer) });

export const passkeyView = ({ id, name, addedAt, lastUsedAt, liveFrom }: Passkey) => ({
  id,
  name,
  added_at: isoMicros(addedAt),
  last_used_at: lastUsedAt === null ? null : isoMicros(lastUsedAt),
  live_from: isoMicros(liveFrom),
});
export const passkeysView = ({ passkeys }: Pick<User, 'passkeys'>) => ({ passkeys: passkeys.map(passkeyView) });

const credential = z.object({ type: z.literal('public-key'), id: text });
/** The algorithms that authenticators have: EdDSA, ES256, RS256 (IANA COSE Algorithms). */
const ALGORITHMS = [-8, -7, -257];

export const creationAnswer = z.object({
  rp: z.object({ id: text, name: text }),
  user: z.object({ id: text, name: text, displayName: text }),
  challenge: text,
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
  timeout: z.number(),
  attestation: z.literal('none'),
  authenticatorSelection: z.object({ residentKey: z.literal('required'), userVerification: z.literal('required') }),
  excludeCredentials: z.array(credential),
});

/** Builds the options with which a browser makes a passkey, for a dashboard at `host`. */
export const creationOptionsView = (
  { id, email, passkeys }: Pick<User, 'id' | 'email' | 'passkeys'>,
  challenge: string,
  host: string,
): z.infer<typeof creationAnswer> => ({
  rp: { id: host, name: 'Payments dashboard' },
  user: { id: Buffer.from(id).toString('base64url'), name: email, displayName: email },
  challenge,
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
  timeout: CHALLENGE_LIFETIME,
  attestation: 'none',
  authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  excludeCredentials: passkeys.map(({ credentialId }) => ({ type: 'public-key', id: credentialId })),
});

export const challengeAnswer = z.object({
  challenge: text,
  rpId: text,
  timeout: z.number(),
  userVerification: z.literal('required'),
});

/**
 * Builds the options with which a browser uses a passkey. The options list no passkeys, so that nobody learns from them which users have
 * passkeys.
 */
export const challengeView = (challenge: string, host: string): z.infer<typeof challengeAnswer> => ({
  challenge,
  rpId: host,
  timeout: CHALLENGE_LIFETIME,
  userVerification: 'required',
});

import * as z from 'zod/mini';
import { ADD_LIMIT, CHALLENGE_LIFETIME, CHALLENGE_LIMIT, type Challenge } from '#shared/members/domain/challenge.ts';
import { newToken, tokenHash } from '#shared/members/domain/token.ts';
import type { ChallengeStore, SignInStore } from '#shared/members/ports.ts';
import { ApiError, KeyError } from '#shared/platform/kernel/errors.ts';
import { text } from '#shared/platform/kernel/schemas.ts';
import { secondsLeftIn } from '#shared/platform/kernel/time.ts';
import type { Runtime } from '#shared/platform/ports.ts';

export interface ChallengeDeps extends Pick<Runtime, 'now' | 'randomBytes'> {
  readonly challenges: ChallengeStore;
  readonly signIns: Pick<SignInStore, 'countCode'>;
}

/**
 * Makes a challenge for an authenticator. `bucket` names the caller, whose challenges are limited. `userId`: the user who adds a passkey; null
 * if a passkey is to be used.
 * @throws ApiError `rate_limited`.
 */
export const newChallenge = async (deps: ChallengeDeps, bucket: string, userId: string | null): Promise<string> => {
  const now = deps.now();
  const limit = userId === null ? CHALLENGE_LIMIT : ADD_LIMIT;
  if (!(await deps.signIns.countCode(`passkeys ${bucket}`, limit, now))) {
    throw new KeyError('rate_limited', { retryAfterSeconds: secondsLeftIn(limit.window, now) });
  }
  const challenge = newToken(deps.randomBytes);
  await deps.challenges.create({ hash: tokenHash(challenge), userId, expiresAt: now + CHALLENGE_LIFETIME });
  return challenge;
};

const clientData = z.object({ challenge: text });

/** Reads the challenge that a browser says was signed (WebAuthn Level 3, section 5.8.1); empty if it names none. */
const parseChallenge = (clientDataJson: string): string => {
  try {
    return clientData.parse(JSON.parse(Buffer.from(clientDataJson, 'base64url').toString())).challenge;
  } catch {
    return '';
  }
};

/**
 * Ends the challenge that a browser's answer names, so that it is used only once. @throws ApiError `wrong_passkey` if the challenge is unknown
 * or has expired.
 */
export const takeChallenge = async (
  deps: Pick<ChallengeDeps, 'challenges' | 'now'>,
  { clientDataJSON }: { readonly clientDataJSON: string },
): Promise<Challenge & { readonly challenge: string }> => {
  const challenge = parseChallenge(clientDataJSON);
  const existing = await deps.challenges.take(tokenHash(challenge));
  if (!existing || deps.now() >= existing.expiresAt) throw new ApiError('wrong_passkey');
  return { ...existing, challenge };
};

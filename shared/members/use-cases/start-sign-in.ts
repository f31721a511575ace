import { CODE_LIFETIME, CODE_LIMITS, withToken } from '#shared/members/domain/sign-in.ts';
import { newToken, tokenHash } from '#shared/members/domain/token.ts';
import { deriveUserId } from '#shared/members/domain/user.ts';
import type { CodeQueue, RequestOrigin, SignInStore } from '#shared/members/ports.ts';
import { KeyError } from '#shared/platform/kernel/errors.ts';
import { inLagos, type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import type { Runtime } from '#shared/platform/ports.ts';

export interface StartSignInDeps extends Pick<Runtime, 'now' | 'randomBytes'> {
  readonly signIns: SignInStore;
  readonly mails: CodeQueue;
}

interface Limit {
  readonly window: Millis;
  readonly most: number;
  readonly text: string;
}

/**
 * Counts a code against each limit in turn, up to the first limit that is used up.
 * @throws ApiError `rate_limited`, which says when another code can be requested.
 */
const countAgainstLimits = async (
  { signIns }: StartSignInDeps,
  bucket: string,
  limits: readonly Limit[],
  now: Millis,
): Promise<void> => {
  for (const { text, ...limit } of limits) {
    if (await signIns.countCode(bucket, limit, now)) continue;
    const next = (Math.floor(now / limit.window) + 1) * limit.window;
    throw new KeyError('rate_limited', {
      message: `${text}, which is the limit. A code that you have works for ten minutes, in the browser that asked for it. You can ask for another code from ${inLagos(next)}.`,
      retryAfterSeconds: Math.ceil((next - now) / SECOND),
    });
  }
};

/**
 * Begins a sign-in, and queues the mail of its code. It does the same for every address, so nobody learns whether an address has a user; only
 * `sendMail` looks the user up. Earlier codes of the browser still work.
 * `previousCookie`: the tokens of the browser's earlier sign-ins. Returns the token of this sign-in, and a cookie that also contains this token.
 * @throws ApiError `rate_limited` if too many codes were requested for a network or an address. Then no sign-in begins, and the browser's earlier
 * sign-ins stay.
 */
export const startSignIn = async (
  deps: StartSignInDeps,
  {
    email,
    requestOrigin: from,
    previousCookie,
  }: { readonly email: string; readonly requestOrigin: RequestOrigin; readonly previousCookie: string | undefined },
): Promise<{ readonly token: string; readonly cookie: string }> => {
  const now = deps.now();
  const userId = deriveUserId(email);
  await countAgainstLimits(deps, from.addressBlock, CODE_LIMITS.source, now);
  await countAgainstLimits(deps, userId, CODE_LIMITS.address, now);
  const token = newToken(deps.randomBytes);
  const hash = tokenHash(token);
  await deps.signIns.create({ tokenHash: hash, userId, tries: 0, expiresAt: now + CODE_LIFETIME });
  const { browser, address } = from;
  await deps.mails.send({ userId, tokenHash: hash, browser, address, askedAt: now });
  return { token, cookie: withToken(previousCookie, token) };
};

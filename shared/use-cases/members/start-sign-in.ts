import { KeyRefusal } from '#shared/domain/kernel/errors.ts';
import { SECOND } from '#shared/domain/kernel/time.ts';
import { CODE_LIFETIME, CODE_LIMITS, MAX_TRIES } from '#shared/domain/members/sign-in.ts';
import { newToken, tokenHash } from '#shared/domain/members/token.ts';
import { userIdOf } from '#shared/domain/members/user.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { AskedFrom, MailQueue, SignInStore } from '#shared/ports/members.ts';

export interface StartSignInDeps extends Pick<Runtime, 'now' | 'randomBytes'> {
  readonly signIns: SignInStore;
  readonly mails: MailQueue;
}

/** Whether each of these windows has room for one more code; none after the first that is full is counted. */
const takeCode = async (
  { signIns, now }: StartSignInDeps,
  bucket: string,
  limits: readonly { readonly window: number; readonly most: number }[],
): Promise<boolean> => {
  for (const limit of limits) {
    if (!(await signIns.takeCode(bucket, limit, now()))) return false;
  }
  return true;
};

/**
 * Begins a sign-in, and has its code mailed. Nobody learns from it whether the address has an account: the same is done for every
 * address, and whoever writes the mail looks the user up. An address that has had its codes gets no further mail for a while, and no
 * further tries either: whoever guesses has those of the mailed codes.
 * Returns the browser's token. @throws the refusal rate_limited for a network that asks too often.
 */
export const startSignIn = async (
  deps: StartSignInDeps,
  { email, from }: { readonly email: string; readonly from: AskedFrom },
): Promise<{ token: string }> => {
  const now = deps.now();
  if (!(await takeCode(deps, from.addressBlock, CODE_LIMITS.source))) {
    throw new KeyRefusal('rate_limited', { retryAfterSeconds: CODE_LIMITS.source[0].window / SECOND });
  }
  const token = newToken(deps.randomBytes);
  const hash = tokenHash(token);
  const userId = userIdOf(email);
  const mayMail = await takeCode(deps, userId, CODE_LIMITS.address);
  const tries = mayMail ? 0 : MAX_TRIES;
  await deps.signIns.create({ tokenHash: hash, userId, tries, expiresAt: now + CODE_LIFETIME });
  if (mayMail) {
    const { browser, address } = from;
    await deps.mails.send({ kind: 'code', userId, tokenHash: hash, browser, address, askedAt: now });
  }
  return { token };
};

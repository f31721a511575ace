import { MINUTE } from '#shared/domain/kernel/time.ts';
import { CODE_LIFETIME, codeOf } from '#shared/domain/members/sign-in.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { SendMail, SignInMail, UserReader } from '#shared/ports/members.ts';

export interface SendSignInMailDeps extends Pick<Runtime, 'now'> {
  readonly users: UserReader;
  readonly sendMail: SendMail;
  readonly hashKey: string;
}

const textOf = (code: string, { browser, address }: SignInMail): string => `Your code is ${code}.

Type it into the page that asked for it. It works once, in that browser, for ${CODE_LIFETIME / MINUTE} minutes.

It was asked for with ${browser}, from ${address}. If that was not you, do nothing, and tell the code to nobody: we never ask for it.
`;

/** Mails a code to a user. Nothing is sent to an address without an account, or once the code has expired. */
export const sendSignInMail = async (deps: SendSignInMailDeps, mail: SignInMail): Promise<void> => {
  if (deps.now() >= mail.askedAt + CODE_LIFETIME) return;
  const user = await deps.users.find(mail.userId);
  if (!user || user.businesses.length === 0) return;
  await deps.sendMail({
    to: user.email,
    subject: 'Your code for the payments dashboard',
    text: textOf(codeOf(deps.hashKey, mail.tokenHash), mail),
  });
};

import { CODE_LIFETIME, computeCode } from '#shared/members/domain/sign-in.ts';
import type { CodeMail, SendMail, UserReader } from '#shared/members/ports.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import type { ReadKeys, Runtime } from '#shared/platform/ports.ts';

export interface SendMailDeps extends Pick<Runtime, 'now'> {
  readonly users: UserReader;
  readonly sendMail: SendMail;
  /** The keys of codes. */
  readonly signInKeys: ReadKeys;
}

const writeMailText = (code: string, { browser, address }: CodeMail): string => `Your code is ${code}.

Type it into the page that asked for it. It works once, in that browser, for ${CODE_LIFETIME / MINUTE} minutes.

It was asked for with ${browser}, from ${address}. If that was not you, do nothing, and tell the code to nobody: we never ask for it.
`;

/**
 * Mails a code to a user. Nothing is sent to an address without an account, or once the code has expired.
 * @throws what the mail failed with; Error when it was refused.
 */
export const sendMail = async (deps: SendMailDeps, mail: CodeMail): Promise<void> => {
  if (deps.now() >= mail.askedAt + CODE_LIFETIME) return;
  const user = await deps.users.find(mail.userId);
  if (!user || user.businesses.length === 0) return;
  const [key] = await deps.signInKeys();
  const outcome = await deps.sendMail({
    to: user.email,
    subject: 'Your code for the payments dashboard',
    text: writeMailText(computeCode(key, mail.tokenHash), mail),
  });
  if (outcome === 'refused') throw new Error('The mail of a code was refused.');
};

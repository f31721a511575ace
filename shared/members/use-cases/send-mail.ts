import { CODE_LIFETIME, computeCode } from '#shared/members/domain/sign-in.ts';
import type { CodeMail, SendMail, UserReader } from '#shared/members/ports.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import type { ReadKeys, Runtime } from '#shared/platform/ports.ts';

export interface SendMailDeps extends Pick<Runtime, 'now'> {
  readonly users: UserReader;
  readonly sendMail: SendMail;
  /** The keys of the stage from which codes are computed. */
  readonly signInKeys: ReadKeys;
}

const writeMailText = (code: string, { browser, address }: CodeMail): string => `Your code is ${code}.

Enter it on the page that asked for it. It works once, in that browser, for ${CODE_LIFETIME / MINUTE} minutes.

Somebody asked for this code with ${browser}, from ${address}. If it was not you, do nothing. Tell the code to nobody: we never ask for it.
`;

/**
 * Mails a code to a user. It sends nothing if the address has no user, if the user belongs to no business, or if the code has expired.
 * @throws an Error if SES rejects the user's address. Throws any other error of the sending unchanged.
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
  if (outcome === 'refused') throw new Error('The mail service refused the mail of a code.');
};

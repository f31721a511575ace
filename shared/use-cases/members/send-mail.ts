import { MINUTE } from '#shared/domain/kernel/time.ts';
import { CODE_LIFETIME, codeOf } from '#shared/domain/members/sign-in.ts';
import type { Log } from '#shared/observability/log.ts';
import type { BusinessReader } from '#shared/ports/businesses.ts';
import type { ReadKeys, Runtime } from '#shared/ports/kernel.ts';
import type { CodeMail, Mail, Notice, QueuedMail, SendMail, UserReader } from '#shared/ports/members.ts';

export interface SendMailDeps extends Pick<Runtime, 'now'> {
  readonly users: UserReader;
  readonly businesses: Pick<BusinessReader, 'find'>;
  readonly sendMail: SendMail;
  readonly log: Log;
  /** The keys of codes. */
  readonly signInKeys: ReadKeys;
}

const textOf = (code: string, { browser, address }: CodeMail): string => `Your code is ${code}.

Type it into the page that asked for it. It works once, in that browser, for ${CODE_LIFETIME / MINUTE} minutes.

It was asked for with ${browser}, from ${address}. If that was not you, do nothing, and tell the code to nobody: we never ask for it.
`;

/**
 * Mails each reader alone, all of them whatever becomes of the others. A reader whose mail is refused is left out, unless nobody got it: then
 * the fault may be ours. Who got it gets it again where the mail of another failed, as the message then comes again.
 * @throws what failed first; Error when every mail was refused.
 */
const sendEach = async (deps: SendMailDeps, readers: readonly string[], mail: Omit<Mail, 'to'>): Promise<void> => {
  const outcomes = await Promise.allSettled(readers.map((to) => deps.sendMail({ to, ...mail })));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  const refused = outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value === 'refused').length;
  if (refused === 0) return;
  if (refused === readers.length) throw new Error('The mail was refused for every reader.');
  deps.log('mail_refused', { refused, readers: readers.length });
};

/** Mails a code to a user. Nothing is sent to an address without an account, or once the code has expired. */
const sendCode = async (deps: SendMailDeps, mail: CodeMail): Promise<void> => {
  if (deps.now() >= mail.askedAt + CODE_LIFETIME) return;
  const user = await deps.users.find(mail.userId);
  if (!user || user.businesses.length === 0) return;
  const [key] = await deps.signInKeys();
  await sendEach(deps, [user.email], {
    subject: 'Your code for the payments dashboard',
    text: textOf(codeOf(key, mail.tokenHash), mail),
  });
};

/** Mails a notice to the owners that a business has now, and to whom it concerns. */
const sendNotice = async (deps: SendMailDeps, { businessId, userId, subject, text }: Notice): Promise<void> => {
  const [business, concerned] = await Promise.all([
    deps.businesses.find(businessId),
    userId === null ? undefined : deps.users.find(userId),
  ]);
  const owners = (business?.members ?? []).filter(({ role }) => role === 'owner').map(({ email }) => email);
  const to = [...new Set([...owners, ...(concerned ? [concerned.email] : [])])];
  await sendEach(deps, to, { subject, text });
};

/** Sends a mail that was queued. */
export const sendMail = (deps: SendMailDeps, mail: QueuedMail): Promise<void> =>
  mail.kind === 'code' ? sendCode(deps, mail) : sendNotice(deps, mail);

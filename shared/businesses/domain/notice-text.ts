import type { Role } from '#shared/platform/kernel/role.ts';
import { inLagos } from '#shared/platform/kernel/time.ts';
import { type About, dashboardLine, type NoticeReader, type NoticeText } from './mail-words.ts';
import type { Notice } from './notice.ts';
import { summaryText } from './summary-text.ts';

/*
 * The words of notices. The only link in a mail leads to the sign-in, never to a screen or an action; and there is none in mails of security,
 * so that nobody gets used to following one from a mail that frightens.
 */

/** A change that matters, such as one of a live key or a live webhook endpoint. */
const changeText = ({ change }: Pick<About<'change'>, 'change'>, business: string): NoticeText => {
  const { what, at, address } = change;
  const [author, sentenceStart] =
    'email' in change ? [change.email, change.email] : ['an API key', `The key ${change.keyId}`];
  return {
    subject: `${business}: ${author} changed something that matters`,
    text: `${sentenceStart} ${what}.

Business: ${business}
When: ${inLagos(at)}
From: ${address}

You get this because you own the business, or because it is about you. If this should not have happened, sign in to the dashboard: its audit log has the details, under Team you can remove the member, and under API keys you can revoke a key.
`,
  };
};

/** A role, and what whoever has it may do. */
const ROLES: { readonly [Name in Role]: readonly [name: string, may: string] } = {
  viewer: ['a viewer', 'you see everything but the audit log, and change nothing'],
  developer: [
    'a developer',
    'you see everything, and work with its keys, webhooks, checkouts and accounts, and with its profile',
  ],
  owner: ['an owner', 'you may do everything, and decide who else may sign in'],
};

/** An invitation, as the invited person reads it. */
const invitationText = (
  { change: { email: inviter }, role }: About<'invitation'>,
  { business, signInUrl, email }: NoticeReader,
): NoticeText => {
  const [name, may] = ROLES[role];
  return {
    subject: `${inviter} invites you to ${business}`,
    text: `${inviter} invites you to the payments dashboard of ${business}, as ${name}.

${business} takes bank transfers through this payments service, and sees in the dashboard what was paid. As ${name} ${may}.

To sign in, open the dashboard, type ${email}, and then the code that is mailed to you. There is no password.${signInUrl === null ? ` Ask ${inviter} for the address of the dashboard.` : ''}
${dashboardLine(signInUrl)}
If you know neither ${business} nor ${inviter}, ignore this mail. Nothing happens unless you sign in.
`,
  };
};

/** A passkey that somebody added or removed. */
const passkeyText = ({ action, email, name, at, address, liveFrom }: About<'passkey'>): NoticeText => ({
  subject: `${email} ${action} a passkey`,
  text: `${email} ${action} the passkey “${name}”.

When: ${inLagos(at)}
From: ${address}
${liveFrom === null ? '' : `It may change live mode from ${inLagos(liveFrom)} on.\n`}
If this was not ${email}, end it now: ${email} can remove the passkey under My account, an owner can remove the member or reset the passkeys under Team, and operations can do both.
`,
});

const answerText = ({ statusCode, error }: About<'endpoint'>['answer']): string =>
  statusCode === null ? (error ?? 'none') : `HTTP status ${statusCode}`;

/** What owners read first of an endpoint, and what follows from it. */
const NEWS: {
  readonly [News in About<'endpoint'>['news']]: {
    readonly subject: string;
    readonly says: (about: About<'endpoint'>) => string;
  };
} = {
  failing: {
    subject: 'has failed for an hour',
    says: ({ since }) =>
      `has accepted nothing since ${since === null ? 'an hour ago' : inLagos(since)}. What happens meanwhile is kept, and is sent again for 72 hours.`,
  },
  suspended: {
    subject: 'is suspended',
    says: () =>
      'failed several times in a row. What happens meanwhile is kept, and one event is tried from time to time. Once it is accepted, the others follow.',
  },
  disabled: {
    subject: 'was switched off',
    says: ({ reason }) =>
      `was switched off. ${reason ?? ''} It is sent nothing until somebody switches it on again; what happens meanwhile is kept for 30 days.`,
  },
  recovered: {
    subject: 'works again',
    says: () => 'accepts events again. What had waited for it was sent, or is sent at its next attempt.',
  },
};

/** What became of a live webhook endpoint. */
const endpointText = (about: About<'endpoint'>, { business, signInUrl }: NoticeReader): NoticeText => ({
  subject: `${business}: the webhook endpoint at ${about.host} ${NEWS[about.news].subject}`,
  text: `The live webhook endpoint ${about.endpointId} at ${about.host} ${NEWS[about.news].says(about)}

Business: ${business}
When: ${inLagos(about.at)}
Its last answer: ${answerText(about.answer)}

Under Webhooks in the dashboard you see what waits and what your server answered; there you can send a test, and send again what it missed.
${dashboardLine(signInUrl)}
You get this because you own the business. Under My account in the dashboard you choose which mails you get.
`,
});

/** The mail of a notice to one of its readers. */
export const noticeText = ({ about }: Pick<Notice, 'about'>, reader: NoticeReader): NoticeText => {
  switch (about.kind) {
    case 'change':
      return changeText(about, reader.business);
    case 'invitation':
      return reader.isConcerned ? invitationText(about, reader) : changeText(about, reader.business);
    case 'passkey':
      return passkeyText(about);
    case 'endpoint':
      return endpointText(about, reader);
    case 'summary':
      return summaryText(about, reader);
  }
};

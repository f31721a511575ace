import type { Role } from '#shared/platform/kernel/role.ts';
import { inLagos } from '#shared/platform/kernel/time.ts';
import { type About, dashboardLine, type NoticeReader, type NoticeText } from './mail-words.ts';
import type { Notice } from './notice.ts';
import { summaryText } from './summary-text.ts';

/*
 * Writes the mails of notices. The only link in a mail leads to the sign-in, never to a screen or an action. A security mail has no link at
 * all, so that nobody gets used to following a link in an alarming mail.
 */

/** Writes the mail about an important change, such as the change of a live key or a live webhook endpoint. */
const changeText = ({ change }: Pick<About<'change'>, 'change'>, business: string): NoticeText => {
  const { what, at, address } = change;
  const [author, sentenceStart] =
    'email' in change ? [change.email, change.email] : ['an API key', `The key ${change.keyId}`];
  return {
    subject: `${business}: ${author} made an important change`,
    text: `${sentenceStart} ${what}.

Business: ${business}
When: ${inLagos(at)}
From: ${address}

You get this mail because you own the business, or because the change is about you. If this change should not have happened, sign in to the dashboard. The audit log shows its details. You can remove the member under Team, and revoke a key under API keys.
`,
  };
};

/** The names of roles, and what each role may do. */
const ROLES: { readonly [Name in Role]: readonly [name: string, rights: string] } = {
  viewer: ['a viewer', 'you can see everything except the audit log, but change nothing'],
  developer: [
    'a developer',
    'you can see everything, and work with keys, webhooks, checkouts, virtual accounts and the profile',
  ],
  owner: ['an owner', 'you can do everything, and decide who may sign in'],
};

/** Writes an invitation for the invited person. */
const invitationText = (
  { change: { email: inviter }, role }: About<'invitation'>,
  { business, signInUrl, email }: NoticeReader,
): NoticeText => {
  const [name, rights] = ROLES[role];
  return {
    subject: `${inviter} invites you to ${business}`,
    text: `${inviter} invites you to the payments dashboard of ${business}, as ${name}.

${business} takes bank transfers through this payments service. The dashboard shows its payments. As ${name}, ${rights}.

To sign in, open the dashboard and enter ${email}. We mail you a code. Enter the code to sign in. There is no password.${signInUrl === null ? ` Ask ${inviter} for the address of the dashboard.` : ''}
${dashboardLine(signInUrl)}
If you do not know ${business} or ${inviter}, ignore this mail. Nothing happens unless you sign in.
`,
  };
};

/** Writes the mail about a passkey that somebody added or removed. */
const passkeyText = ({ action, email, name, at, address, liveFrom }: About<'passkey'>): NoticeText => ({
  subject: `${email} ${action} a passkey`,
  text: `${email} ${action} the passkey “${name}”.

When: ${inLagos(at)}
From: ${address}
${liveFrom === null ? '' : `This passkey can make changes in live mode from ${inLagos(liveFrom)}.\n`}
If ${email} did not do this, act now: ${email} can remove the passkey under My account, an owner can remove the member or reset the passkeys under Team, and operations can do both.
`,
});

const answerText = ({ statusCode, error }: About<'endpoint'>['answer']): string =>
  statusCode === null ? (error ?? 'none') : `HTTP status ${statusCode}`;

/** The words for each kind of news about an endpoint: for the subject of the mail, and for the text after the name of the endpoint. */
const NEWS: {
  readonly [News in About<'endpoint'>['news']]: {
    readonly subject: string;
    readonly says: (about: About<'endpoint'>) => string;
  };
} = {
  failing: {
    subject: 'has failed for an hour',
    says: ({ since }) =>
      `has accepted no event ${since === null ? 'for an hour' : `since ${inLagos(since)}`}. We keep its events, and send them again for 72 hours.`,
  },
  suspended: {
    subject: 'is suspended',
    says: () =>
      'failed several times in a row. We keep its events, and try one event from time to time. When the endpoint accepts it, we send the others.',
  },
  disabled: {
    subject: 'was switched off',
    says: ({ reason }) =>
      `was switched off. ${reason === null ? '' : `${reason} `}We send it nothing until somebody switches it on again. We keep its events for 30 days.`,
  },
  recovered: {
    subject: 'works again',
    says: () => 'accepts events again. We have sent the events that waited for it, or send them at their next attempt.',
  },
};

/** Writes the mail with news about a live webhook endpoint. */
const endpointText = (about: About<'endpoint'>, { business, signInUrl }: NoticeReader): NoticeText => ({
  subject: `${business}: the webhook endpoint at ${about.host} ${NEWS[about.news].subject}`,
  text: `The live webhook endpoint ${about.endpointId} at ${about.host} ${NEWS[about.news].says(about)}

Business: ${business}
When: ${inLagos(about.at)}
Last answer: ${answerText(about.answer)}

Open Webhooks in the dashboard to see which events wait and what your server answered. There you can send a test event, and send missed events again.
${dashboardLine(signInUrl)}
You get this mail because you own the business. You can choose your mails in the dashboard under My account.
`,
});

/** Writes the mail of a notice to one of its readers. */
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

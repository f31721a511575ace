import { inLagos } from '#shared/platform/kernel/time.ts';
import type { Notice } from './notice.ts';

/* The words of notices. There are no links in these mails, so that nobody gets used to following one. */

/** A mail without its reader. */
export interface NoticeText {
  readonly subject: string;
  readonly text: string;
}

type About<Kind extends Notice['about']['kind']> = Extract<Notice['about'], { readonly kind: Kind }>;

/** A change that matters, such as one of a live key or a live webhook endpoint. */
const changeText = ({ change }: About<'change'>, business: string): NoticeText => {
  const { what, at, address } = change;
  const [who, whoFirst] = 'email' in change ? [change.email, change.email] : ['an API key', `The key ${change.keyId}`];
  return {
    subject: `${business}: ${who} changed something that matters`,
    text: `${whoFirst} ${what}.

Business: ${business}
When: ${inLagos(at)}
From: ${address}

You get this because you own the business, or because it is about you. If this should not have happened, sign in to the dashboard: its audit log has the details, under Team you can remove the member, and under API keys you can revoke a key.
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
const endpointText = (about: About<'endpoint'>, business: string): NoticeText => ({
  subject: `${business}: the webhook endpoint at ${about.host} ${NEWS[about.news].subject}`,
  text: `The live webhook endpoint ${about.endpointId} at ${about.host} ${NEWS[about.news].says(about)}

Business: ${business}
When: ${inLagos(about.at)}
Its last answer: ${answerText(about.answer)}

You get this because you own the business. Under Webhooks in the dashboard you see what waits and what your server answered; there you can send a test, and send again what it missed.
`,
});

/** The mail of a notice. `business`: the name of the business that it is about. */
export const noticeText = ({ about }: Notice, business: string): NoticeText => {
  switch (about.kind) {
    case 'change':
      return changeText(about, business);
    case 'passkey':
      return passkeyText(about);
    case 'endpoint':
      return endpointText(about, business);
  }
};

import { inLagos } from '#shared/domain/kernel/time.ts';
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

/** The mail of a notice. `business`: the name of the business that it is about. */
export const noticeText = ({ about }: Notice, business: string): NoticeText => {
  switch (about.kind) {
    case 'change':
      return changeText(about, business);
    case 'passkey':
      return passkeyText(about);
  }
};

import type { Business } from '#shared/domain/businesses/business.ts';
import type { MemberChange } from '#shared/domain/businesses/member-change.ts';
import { inLagos, type Millis } from '#shared/domain/kernel/time.ts';
import { isWaiting, type Passkey } from './passkey.ts';

/* What the owners of a business are mailed. There are no links in these mails, so that nobody gets used to following one. */

/** A mail about what somebody did. */
export interface NoticeText {
  readonly subject: string;
  readonly text: string;
}

/** A change that needed a passkey, such as one of a live key. */
export const changeNotice = (
  { name }: Pick<Business, 'name'>,
  { email, what, at, address }: MemberChange,
): NoticeText => ({
  subject: `${name}: ${email} changed something that matters`,
  text: `${email} ${what}.

Business: ${name}
When: ${inLagos(at)}
From: ${address}

You get this because you own the business, or because it is about you. If this should not have happened, sign in to the dashboard: its audit log has the details, under Team you can remove the member, and under API keys you can revoke a key.
`,
});

/** A passkey that somebody added. */
export const passkeyNotice = (
  passkey: Passkey,
  { email, address, at }: { readonly email: string; readonly address: string; readonly at: Millis },
): NoticeText => ({
  subject: `${email} added a passkey`,
  text: `${email} added the passkey “${passkey.name}”.

When: ${inLagos(at)}
From: ${address}
${isWaiting(passkey, at) ? `It may change live mode from ${inLagos(passkey.liveFrom)} on.\n` : ''}
If this was not ${email}, end it now: ${email} can remove the passkey under My account, an owner can remove the member or reset the passkeys under Team, and operations can do both.
`,
});

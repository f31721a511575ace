import * as z from 'zod/mini';
import type { DailySummary } from '#shared/businesses/domain/daily-summary.ts';
import { userId } from '#shared/businesses/domain/member.ts';
import type { MemberChange } from '#shared/businesses/domain/member-change.ts';
import type { Notice } from '#shared/businesses/domain/notice.ts';
import type { Challenge } from '#shared/members/domain/challenge.ts';
import type { Passkey } from '#shared/members/domain/passkey.ts';
import type { Session } from '#shared/members/domain/session.ts';
import type { SignIn } from '#shared/members/domain/sign-in.ts';
import type { User } from '#shared/members/domain/user.ts';
import { millis, text } from '#shared/platform/kernel/schemas.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';

/** Where somebody asks from. */
export interface RequestOrigin {
  /** The browser's name (browser-name.ts), never what the browser calls itself. */
  readonly browser: string;
  readonly address: string;
  /** What people who share a network have in common (address-block.ts). */
  readonly addressBlock: string;
}

/** What is mailed to whoever asked for a code. No queue holds the code or the address: both are found when the mail is written. */
export const codeMail = z.object({
  userId,
  tokenHash: text,
  browser: text,
  address: text,
  askedAt: millis,
});
export type CodeMail = z.infer<typeof codeMail>;

/** Where the mails of codes wait to be sent. */
export interface CodeQueue {
  send(mail: CodeMail): Promise<void>;
}

/** Notices that are to be mailed. */
export interface NoticeStore {
  /** Takes a notice that was due at `dueAt`, so that nobody else has it until `until`; undefined where it is gone, or somebody else has it. */
  take(due: Pick<Notice, 'id' | 'dueAt'>, until: Millis): Promise<Notice | undefined>;
  /** Writes who has it by now and when it is due again, if it is still as it was taken. */
  keep(taken: Notice, left: Pick<Notice, 'dueAt' | 'mailed'>): Promise<void>;
  /** Deletes what was mailed. */
  finish(id: string): Promise<void>;
}

/** Which day of each business is told next. */
export interface SummaryStore {
  /** Takes a summary that was due at `dueAt`, so that nobody else has it until `until`; undefined where it is gone, or somebody else has it. */
  take(due: Pick<DailySummary, 'businessId' | 'dueAt'>, until: Millis): Promise<DailySummary | undefined>;
  /** Writes the next summary with the notice of this one, if it has one; nothing where it is no longer as it was taken. */
  moveOn(taken: DailySummary, next: DailySummary, notice: Notice | undefined): Promise<void>;
  /** Deletes a summary that nobody wants; nothing where it is no longer as it was taken. */
  end(taken: DailySummary): Promise<void>;
}

/** A mail as its reader sees it: each reader gets one alone, so that an address that is refused silences nobody else's. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends a mail. `refused`: it cannot be sent as it is, which another try does not mend. @throws what may go better at another try. */
export type SendMail = (mail: Mail) => Promise<'sent' | 'refused'>;

export interface UserReader {
  /** Read consistently. */
  find(id: string): Promise<User | undefined>;
}

/** What changes of a user without a business. */
export interface UserChange {
  readonly before: User;
  readonly after: User;
  /** What its businesses are told of it. */
  readonly records?: readonly MemberChange[];
  /** What their owners and the user are mailed of it. */
  readonly notice?: Notice;
  /** The session that the use of a passkey becomes. */
  readonly session?: Session;
}

export interface UserStore extends UserReader {
  /** Writes all of it or nothing; false when the user changed meanwhile. */
  save(change: UserChange): Promise<boolean>;
}

export interface ChallengeStore {
  create(challenge: Challenge): Promise<void>;
  /** Ends a challenge; undefined where there is none, or it had ended before. */
  take(hash: string): Promise<Challenge | undefined>;
}

/** Where the dashboard is served: passkeys work there alone. */
export interface Site {
  readonly origin: string;
  /** Its host name, without a port. */
  readonly host: string;
}

/** What an authenticator signed. */
export interface SignedBy {
  readonly site: Site;
  readonly challenge: string;
}

/** What a browser sends of a new passkey, and of one that was used: texts in base64url (WebAuthn Level 3, section 5.1). */
export interface NewPasskey {
  readonly id: string;
  readonly response: { readonly clientDataJSON: string; readonly attestationObject: string };
}
export interface UsedPasskey {
  readonly id: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle: string;
  };
}

/** Verifies what authenticators sign, with the user verified by them; undefined for what is no answer to that challenge at that site. */
export interface PasskeyVerifier {
  added(
    credential: NewPasskey,
    by: SignedBy,
  ): Promise<Pick<Passkey, 'credentialId' | 'publicKey' | 'uses'> | undefined>;
  used(credential: UsedPasskey, by: SignedBy, passkey: Passkey): Promise<Pick<Passkey, 'uses'> | undefined>;
}

export interface SignInStore {
  /** Counts one code of a bucket in a window; false when so many are not left. */
  takeCode(bucket: string, limit: { readonly window: Millis; readonly most: number }, now: Millis): Promise<boolean>;
  create(signIn: SignIn): Promise<void>;
  /** Counts a try, and gives the sign-in with it; undefined where there is none. */
  takeTry(tokenHash: string): Promise<SignIn | undefined>;
  /** Ends a sign-in with the session that it becomes; false when it had ended before. */
  complete(signIn: SignIn, session: Session): Promise<boolean>;
}

export interface SessionReader {
  /** Read consistently: a session that was ended is refused from the next request on. */
  find(tokenHash: string): Promise<Session | undefined>;
}

export interface SessionStore extends SessionReader {
  /** Writes that it was seen; nothing where it has ended since. */
  touch(session: Session, seenAt: Millis): Promise<void>;
  /** Writes that no passkey was used in it; nothing where it has ended since. */
  forgetPasskey(session: Session): Promise<void>;
  /** Writes from when on the passkey that was used in it may change live mode; nothing where it has ended since. */
  trustPasskey(session: Session, liveFrom: Millis): Promise<void>;
  /** Every session of a user that has not expired, newest first. One of the last second may be missing. */
  list(userId: string): Promise<readonly Session[]>;
  end(session: Session): Promise<void>;
}

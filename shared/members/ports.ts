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

/** The origin of a request. */
export interface RequestOrigin {
  /** The browser's name (browser-name.ts), never the text of its header. */
  readonly browser: string;
  readonly address: string;
  /** The block that all addresses of one network share (address-block.ts). */
  readonly addressBlock: string;
}

/** The mail of a code. No queue holds the code or the address: both are found when the mail is written. */
export const codeMail = z.object({
  userId,
  tokenHash: text,
  browser: text,
  address: text,
  askedAt: millis,
});
export type CodeMail = z.infer<typeof codeMail>;

/** The queue of code mails. */
export interface CodeQueue {
  send(mail: CodeMail): Promise<void>;
}

/** Stores notices until they are mailed. */
export interface NoticeStore {
  /** Takes a notice that was due at `dueAt`, for this caller alone until `until`; undefined if it is gone, or another caller has it. */
  take(due: Pick<Notice, 'id' | 'dueAt'>, until: Millis): Promise<Notice | undefined>;
  /** Writes who has been mailed and when it is due again, unless it changed since it was taken. */
  keep(taken: Notice, left: Pick<Notice, 'dueAt' | 'mailed'>): Promise<void>;
  /** Deletes a notice that was mailed. */
  finish(id: string): Promise<void>;
}

/** Stores the next daily summary of each business. */
export interface SummaryStore {
  /** Takes a summary that was due at `dueAt`, for this caller alone until `until`; undefined if it is gone, or another caller has it. */
  take(due: Pick<DailySummary, 'businessId' | 'dueAt'>, until: Millis): Promise<DailySummary | undefined>;
  /** Writes the next summary with the notice of this one, if it has one; does nothing if it changed since it was taken. */
  moveOn(taken: DailySummary, next: DailySummary, notice: Notice | undefined): Promise<void>;
  /** Deletes a summary that nobody wants; does nothing if it changed since it was taken. */
  end(taken: DailySummary): Promise<void>;
}

/** A mail to one reader. Each reader gets one alone, so that a rejected address costs nobody else the mail. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends a mail. Returns `refused` if it can never be sent as it is. @throws an error after which another try may help. */
export type SendMail = (mail: Mail) => Promise<'sent' | 'refused'>;

export interface UserReader {
  /** Finds a user, read consistently. */
  find(id: string): Promise<User | undefined>;
}

/** A change of a user without a business. */
export interface UserChange {
  readonly before: User;
  readonly after: User;
  /** The records of it in the audit logs of the user's businesses. */
  readonly records?: readonly MemberChange[];
  /** The mail about it to the user and to the owners of the user's businesses. */
  readonly notice?: Notice;
  /** The session that the use of a passkey begins. */
  readonly session?: Session;
}

export interface UserStore extends UserReader {
  /** Writes all of it or nothing; false if the user changed meanwhile. */
  save(change: UserChange): Promise<boolean>;
}

export interface ChallengeStore {
  create(challenge: Challenge): Promise<void>;
  /** Takes a challenge, so that it is used once; undefined if there is none, or it was taken before. */
  take(hash: string): Promise<Challenge | undefined>;
}

/** The address of the dashboard. Passkeys work only there. */
export interface Site {
  readonly origin: string;
  /** The host name, without a port. */
  readonly host: string;
}

/** The facts that an authenticator must have signed. */
export interface SignedBy {
  readonly site: Site;
  readonly challenge: string;
}

/** A browser's answer with a new passkey: texts in base64url (WebAuthn Level 3, section 5.1). */
export interface NewPasskey {
  readonly id: string;
  readonly response: { readonly clientDataJSON: string; readonly attestationObject: string };
}
/** A browser's answer with the use of a passkey. */
export interface UsedPasskey {
  readonly id: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle: string;
  };
}

/** Verifies the signatures of authenticators that have verified their users; undefined if it is no answer to this challenge at this site. */
export interface PasskeyVerifier {
  verifyNew(
    credential: NewPasskey,
    by: SignedBy,
  ): Promise<Pick<Passkey, 'credentialId' | 'publicKey' | 'uses'> | undefined>;
  verifyUse(credential: UsedPasskey, by: SignedBy, passkey: Passkey): Promise<Pick<Passkey, 'uses'> | undefined>;
}

export interface SignInStore {
  /** Counts one code of a bucket in a window; false if the limit is used up. */
  countCode(bucket: string, limit: { readonly window: Millis; readonly most: number }, now: Millis): Promise<boolean>;
  create(signIn: SignIn): Promise<void>;
  /** Counts a try, and returns the sign-in with it; undefined if there is none. */
  countTry(tokenHash: string): Promise<SignIn | undefined>;
  /** Ends a sign-in and writes the session that it begins; false if it had ended before. */
  complete(signIn: SignIn, session: Session): Promise<boolean>;
}

export interface SessionReader {
  /** Finds a session, read consistently: a session that was ended is refused from the next request on. */
  find(tokenHash: string): Promise<Session | undefined>;
}

export interface SessionStore extends SessionReader {
  /** Writes that it was seen; does nothing if it has ended since. */
  touch(session: Session, seenAt: Millis): Promise<void>;
  /** Removes the use of a passkey from it; does nothing if it has ended since. */
  forgetPasskey(session: Session): Promise<void>;
  /** Writes the time from which its passkey may change live mode; does nothing if it has ended since. */
  trustPasskey(session: Session, liveFrom: Millis): Promise<void>;
  /** Lists the sessions of a user that have not expired, newest first. One of the last second may be missing. */
  list(userId: string): Promise<readonly Session[]>;
  end(session: Session): Promise<void>;
}

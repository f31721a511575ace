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
  /** The addresses of the same subscriber: the IPv4 address itself, or the /64 of the IPv6 address (address-block.ts). */
  readonly addressBlock: string;
}

/**
 * The queue message that asks to mail a code. It contains neither the code nor the reader's e-mail address: both are found when the mail is
 * written. `address` is the IP address from which the code was requested.
 */
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
  /** Leases a notice that was due at `dueAt` to this caller until `until`. Returns undefined if the notice is gone, or another caller has it. */
  take(due: Pick<Notice, 'id' | 'dueAt'>, until: Millis): Promise<Notice | undefined>;
  /** Writes who has been mailed, and when the notice is due again. Does nothing if the notice has changed since it was taken. */
  reschedule(taken: Notice, left: Pick<Notice, 'dueAt' | 'mailed'>): Promise<void>;
  /** Deletes a notice that was mailed. */
  finish(id: string): Promise<void>;
}

/** Stores the next daily summary of each business. */
export interface SummaryStore {
  /** Leases a summary that was due at `dueAt` to this caller until `until`. Returns undefined if the summary is gone, or another caller has it. */
  take(due: Pick<DailySummary, 'businessId' | 'dueAt'>, until: Millis): Promise<DailySummary | undefined>;
  /**
   * Replaces the taken summary by the next one, and writes the notice of the taken summary, if there is one. Does nothing if the summary has
   * changed since it was taken.
   */
  moveOn(taken: DailySummary, next: DailySummary, notice: Notice | undefined): Promise<void>;
  /** Deletes a summary that nobody wants. Does nothing if the summary has changed since it was taken. */
  end(taken: DailySummary): Promise<void>;
}

/** A mail to one reader. Each reader gets a separate mail, so that a rejected address does not keep the mail from other readers. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends a mail. Returns `refused` if the mail is rejected because of its reader, so that another try at once is useless. @throws any other error. */
export type SendMail = (mail: Mail) => Promise<'sent' | 'refused'>;

export interface UserReader {
  /** Finds a user, read consistently. */
  find(id: string): Promise<User | undefined>;
}

/** A change of a user that changes no business. */
export interface UserChange {
  readonly before: User;
  readonly after: User;
  /** The records of the change in the audit logs of the user's businesses. */
  readonly records?: readonly MemberChange[];
  /** The mail about the change to the user and to the owners of the user's businesses. */
  readonly notice?: Notice;
  /** The session that the use of a passkey begins. */
  readonly session?: Session;
}

export interface UserStore extends UserReader {
  /** Writes the whole change or nothing; false if the user has changed meanwhile. */
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

/**
 * Verifies an authenticator's answer to a challenge. Returns undefined if the signature is wrong, if the answer is for another challenge or
 * site, or if the authenticator has not verified its user.
 */
export interface PasskeyVerifier {
  verifyNew(
    credential: NewPasskey,
    by: SignedBy,
  ): Promise<Pick<Passkey, 'credentialId' | 'publicKey' | 'uses'> | undefined>;
  verifyUse(credential: UsedPasskey, by: SignedBy, passkey: Passkey): Promise<Pick<Passkey, 'uses'> | undefined>;
}

export interface SignInStore {
  /**
   * Counts one code, challenge or mail against a limit; false if the limit is used up. `bucket` names what shares the limit, such as a user or a
   * block of IP addresses.
   */
  countCode(bucket: string, limit: { readonly window: Millis; readonly most: number }, now: Millis): Promise<boolean>;
  create(signIn: SignIn): Promise<void>;
  /** Counts a try, and returns the sign-in with the new count; undefined if there is no such sign-in. */
  countTry(tokenHash: string): Promise<SignIn | undefined>;
  /** Ends a sign-in and writes its new session; false if the sign-in had ended before. */
  complete(signIn: SignIn, session: Session): Promise<boolean>;
}

export interface SessionReader {
  /** Finds a session, read consistently: a session that was ended is refused from the next request on. */
  find(tokenHash: string): Promise<Session | undefined>;
}

export interface SessionStore extends SessionReader {
  /** Writes when the session was last seen; does nothing if the session has ended. */
  touch(session: Session, seenAt: Millis): Promise<void>;
  /** Removes the use of a passkey from the session; does nothing if the session has ended. */
  forgetPasskey(session: Session): Promise<void>;
  /** Writes the time from which the passkey of the session may change live mode; does nothing if the session has ended. */
  trustPasskey(session: Session, liveFrom: Millis): Promise<void>;
  /** Lists the sessions of a user that have not expired, newest first. A session that began within the last second may be missing. */
  list(userId: string): Promise<readonly Session[]>;
  end(session: Session): Promise<void>;
}

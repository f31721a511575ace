import * as z from 'zod/mini';
import { userId } from '#shared/domain/businesses/member.ts';
import { millis, text } from '#shared/domain/kernel/schemas.ts';
import type { Millis } from '#shared/domain/kernel/time.ts';
import type { Session } from '#shared/domain/members/session.ts';
import type { SignIn } from '#shared/domain/members/sign-in.ts';
import type { User } from '#shared/domain/members/user.ts';

/** Where somebody asks from. */
export interface AskedFrom {
  readonly browser: string;
  readonly address: string;
  /** What people who share a network have in common (address-block.ts). */
  readonly addressBlock: string;
}

/** What is mailed to whoever asked for a code. No queue holds the code or the address: both are found when the mail is written. */
export const signInMail = z.object({
  userId,
  tokenHash: text,
  browser: text,
  address: text,
  askedAt: millis,
});
export type SignInMail = z.infer<typeof signInMail>;

/** Where mails wait to be sent. */
export interface MailQueue {
  send(mail: SignInMail): Promise<void>;
}

/** A mail as its reader sees it. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends a mail. */
export type SendMail = (mail: Mail) => Promise<void>;

export interface UserReader {
  /** Read consistently. */
  find(id: string): Promise<User | undefined>;
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
  /** Every session of a user that has not expired, newest first. One of the last second may be missing. */
  list(userId: string): Promise<readonly Session[]>;
  end(session: Session): Promise<void>;
}

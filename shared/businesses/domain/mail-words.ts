import type { About as AnyAbout } from './notice.ts';

/** A mail without its reader's address. */
export interface NoticeText {
  readonly subject: string;
  readonly text: string;
}

/** The facts about a reader that the words of a notice depend on. */
export interface NoticeReader {
  /** The name of the business that the notice is about. */
  readonly business: string;
  /** The address of the sign-in page; null if it is not known. */
  readonly signInUrl: string | null;
  readonly email: string;
  /** Whether the notice is about the reader. Otherwise the reader gets it as an owner of the business. */
  readonly isConcerned: boolean;
}

/** The content of one kind of notice. */
export type About<Kind extends AnyAbout['kind']> = Extract<AnyAbout, { readonly kind: Kind }>;

/** Writes the line with the only link of a mail, after an empty line; nothing if the link is not known. */
export const dashboardLine = (signInUrl: string | null): string =>
  signInUrl === null ? '' : `\nDashboard: ${signInUrl}\n`;

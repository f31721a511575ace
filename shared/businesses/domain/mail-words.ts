import type { About as AnyAbout } from './notice.ts';

/** A mail without its reader. */
export interface NoticeText {
  readonly subject: string;
  readonly text: string;
}

/** What the words of a notice depend on besides the notice. */
export interface NoticeReader {
  /** The name of the business that it is about. */
  readonly business: string;
  /** Where its reader signs in; null where that is not known. */
  readonly signInUrl: string | null;
  readonly email: string;
  /** Whether it concerns the reader, who may be no owner. */
  readonly isConcerned: boolean;
}

/** What a kind of notice tells. */
export type About<Kind extends AnyAbout['kind']> = Extract<AnyAbout, { readonly kind: Kind }>;

/** A paragraph with the one link of a mail, with the line before it. */
export const dashboardLine = (signInUrl: string | null): string =>
  signInUrl === null ? '' : `\nDashboard: ${signInUrl}\n`;

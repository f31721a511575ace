import type { BusinessProfile, Support } from '#shared/businesses/domain/profile.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import type { PayerView } from '#shared/checkouts/domain/payer-view.ts';
import { type Html, html } from '#shared/pages/html.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';

/** What is shown, to whom, and from where. */
export interface PageContext {
  readonly link: string;
  readonly checkout: Checkout;
  readonly view: PayerView;
  readonly profile: BusinessProfile;
  readonly now: Millis;
  /** When the payer said that the money was sent; null before. */
  readonly sentAt: Millis | null;
  /** Whether the page is in a merchant's frame, where it leads nowhere and tells the merchant's page instead. */
  readonly isEmbedded: boolean;
  /** The button that a browser without script pressed, and the version that it saw (pressedAt); null elsewhere. */
  readonly pressed: string | null;
}

export type ViewOf<K extends PayerView['kind']> = PayerView & { readonly kind: K };
/** The views that have an account to pay into. */
export type PayableView = ViewOf<'pay' | 'confirming' | 'underpaid'>;

/** The title of the page, which also a chat shows that somebody pastes its link into. */
export const formatTitle = ({
  view: { kind },
  profile: { displayName },
}: Pick<PageContext, 'view' | 'profile'>): string => {
  if (kind === 'paid') return `Receipt from ${displayName}`;
  if (kind === 'underpaid' || kind === 'part_paid') return `Paid in part: ${displayName}`;
  return kind === 'expired' ? `Expired: ${displayName}` : `Pay ${displayName}`;
};

const supportAddress = (support: Support): string => {
  switch (support.kind) {
    case 'email':
      return `mailto:${support.address}`;
    case 'phone':
      return `tel:${support.number}`;
    case 'page':
      return support.url;
  }
};

/** The address as paper has it. */
const printedAddress = (support: Support): string => supportAddress(support).replace(/^(mailto|tel):/, '');

/** Whom to ask, and with which reference: the end of a sentence. Its full stop never begins a line. */
export const contact = ({ checkout, profile: { displayName, support } }: PageContext): Html => {
  const whom =
    support === null
      ? html`contact ${displayName}`
      : html`<a href="${supportAddress(support)}" target="_blank" rel="noopener noreferrer" data-printed="${printedAddress(support)}">contact ${displayName}</a>`;
  return html`${whom} with <strong class="ref">${checkout.reference}.</strong>`;
};

/** A button of the page that may change nothing. */
type Button = 'again' | 'other';

/** A button as a form without the script says that it was pressed, at this version. */
export const pressedParam = ({ checkout }: Pick<PageContext, 'checkout'>, button: Button): string =>
  `${button}-${checkout.version}`;

/** An address of the page for a browser without the script, which says when the money was sent and what was pressed. */
export const writeAddress = (page: PageContext, path: string, button: Button): string => {
  const sent = page.sentAt === null ? '' : `sent=${page.sentAt}&`;
  return `/pay/${page.link}${path}?${sent}pressed=${pressedParam(page, button)}`;
};

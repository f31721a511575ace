import type { BusinessProfile, Support } from '#shared/businesses/domain/profile.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import type { PayerView } from '#shared/checkouts/domain/payer-view.ts';
import { type Html, html } from '#shared/pages/html.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';

/** Everything that the page is rendered from. */
export interface PageContext {
  readonly link: string;
  readonly checkout: Checkout;
  readonly view: PayerView;
  readonly profile: BusinessProfile;
  readonly now: Millis;
  /** When the payer said that the money was sent; null before. */
  readonly sentAt: Millis | null;
  /** Whether the page is in a merchant's frame. There it does not navigate, but sends messages to the merchant's page. */
  readonly isEmbedded: boolean;
  /** The button that was pressed in a browser without the script, and the checkout's version on the page then (`pressedParam`); null if none. */
  readonly pressed: string | null;
}

export type ViewOf<K extends PayerView['kind']> = PayerView & { readonly kind: K };
/** The views that have an account to pay into. */
export type PayableView = ViewOf<'pay' | 'confirming' | 'underpaid'>;

/** Writes the page's title. */
export const formatTitle = ({
  view: { kind },
  profile: { displayName },
}: Pick<PageContext, 'view' | 'profile'>): string => {
  if (kind === 'paid') return `Receipt from ${displayName}`;
  if (kind === 'underpaid' || kind === 'part_paid') return `Paid in part: ${displayName}`;
  return kind === 'expired' ? `Expired: ${displayName}` : `Pay ${displayName}`;
};

const toSupportUrl = (support: Support): string => {
  switch (support.kind) {
    case 'email':
      return `mailto:${support.address}`;
    case 'phone':
      return `tel:${support.number}`;
    case 'page':
      return support.url;
  }
};

/** Writes the support address for paper. */
const formatPrintedAddress = (support: Support): string => toSupportUrl(support).replace(/^(mailto|tel):/, '');

/** Renders the end of a sentence: whom to contact, with which reference. The full stop is inside the reference, so that it never begins a line. */
export const renderContact = ({ checkout, profile: { displayName, support } }: PageContext): Html => {
  const link =
    support === null
      ? html`contact ${displayName}`
      : html`<a href="${toSupportUrl(support)}" target="_blank" rel="noopener noreferrer" data-printed="${formatPrintedAddress(support)}">contact ${displayName}</a>`;
  return html`${link} with reference <strong class="ref">${checkout.reference}.</strong>`;
};

/** A button whose press may change nothing. The page then says so. */
type Button = 'again' | 'other';

/** Writes a button and the checkout's version on the page, such as `again-3`, for the URL of a browser without the script. */
export const pressedParam = ({ checkout }: Pick<PageContext, 'checkout'>, button: Button): string =>
  `${button}-${checkout.version}`;

/** Writes a URL of the page for a browser without the script: it has the time at which the money was sent, and the pressed button. */
export const writePageUrl = (page: PageContext, path: string, button: Button): string => {
  const sent = page.sentAt === null ? '' : `sent=${page.sentAt}&`;
  return `/pay/${page.link}${path}?${sent}pressed=${pressedParam(page, button)}`;
};

import { DEFAULT_BRAND, textOn } from '#shared/businesses/domain/contrast.ts';
import { logoPath } from '#shared/businesses/domain/logo-path.ts';
import type { BusinessProfile, Logo } from '#shared/businesses/domain/profile.ts';
import { shownAttempt } from '#shared/checkouts/domain/attempt.ts';
import { Html, html } from '#shared/pages/html.ts';
import { sourceHash } from '#shared/pages/source-hash.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { CheckoutAssets } from './assets.ts';
import { contentName, renderMain } from './main.ts';
import { formatTitle, type PageContext } from './page-context.ts';

/** A page with its HTTP headers. */
export interface PageDocument {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Writes the business's colour, and the colour of readable text on it, as CSS variables. */
const formatBrandStyle = ({ brandColor }: Pick<BusinessProfile, 'brandColor'>): string => {
  const color = brandColor ?? DEFAULT_BRAND;
  return `:root{--brand:${color};--on-brand:${textOn(color)}}`;
};

/** Lists the origins that may show the page in a frame: the business's websites and, in test mode, the developer's own machine. */
const listFrameOrigins = (mode: Mode, websites: readonly string[]): readonly string[] =>
  mode === 'live' ? websites : [...websites, 'http://localhost:*', 'http://127.0.0.1:*'];

/** Writes the content security policy: the page runs its own script and style, and talks to this service only (docs/internals/payment-page.md). */
const formatPolicy = (
  { styleHash, scriptHash }: CheckoutAssets,
  {
    brand,
    origins,
    hasLogo,
  }: { readonly brand: string; readonly origins: readonly string[]; readonly hasLogo: boolean },
): string =>
  [
    "default-src 'none'",
    `script-src ${scriptHash}`,
    `style-src ${styleHash} ${sourceHash(brand)}`,
    "connect-src 'self'",
    hasLogo ? "img-src 'self' data:" : 'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${origins.length === 0 ? "'none'" : origins.join(' ')}`,
    "require-trusted-types-for 'script'",
    'trusted-types pay',
  ].join('; ');

const buildHeaders = (policy: string): Record<string, string> => ({
  'content-security-policy': policy,
  'x-robots-tag': 'noindex, nofollow',
  'permissions-policy': 'clipboard-write=(self)',
});

/** Puts our own style or script into the page without escaping it. */
const embed = (tag: 'style' | 'script', text: string): Html => {
  // The text cannot contain a closing tag: the build fails on one.
  const [open, close] = tag === 'style' ? ['<style>', '</style>'] : ['<script type="module">', '</script>'];
  return new Html(`${open}${text}${close}`);
};

interface Frame {
  readonly title: string;
  readonly assets: CheckoutAssets;
  readonly profile: Pick<BusinessProfile, 'displayName' | 'brandColor' | 'logo'> | undefined;
  readonly origins: readonly string[];
  readonly main: Html;
  /** Meta elements that a chat shows when somebody pastes the page's link into it. */
  readonly preview?: Html;
  readonly body?: Html;
  readonly foot?: Html;
}

/** Renders the logo. The name beside it replaces an alt text, and the size reserves the space while the picture loads. */
const renderLogo = (logo: Logo): Html =>
  html`<img class="logo" src="${logoPath(logo)}" width="${logo.width}" height="${logo.height}" alt="">`;

const renderDocument = ({ title, assets, profile, origins, main, preview, body, foot }: Frame): PageDocument => {
  const brand = formatBrandStyle({ brandColor: profile?.brandColor ?? null });
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${title}</title>
${preview}${embed('style', assets.style)}${embed('style', brand)}
</head>
<body${body}>
${profile && html`<header><p>${profile.logo && renderLogo(profile.logo)}${profile.displayName}</p></header>`}
<main>${main}</main>
<p class="off" role="status" id="announcement"></p>
${foot && html`<footer>${foot}</footer>`}
${embed('script', assets.script)}
</body>
</html>
`;
  return {
    html: page.text,
    headers: buildHeaders(formatPolicy(assets, { brand, origins, hasLogo: Boolean(profile?.logo) })),
  };
};

/**
 * Renders the preview that chats show. Chats store previews, so it has neither the amount nor payer data. Chats load no picture from a
 * relative URL, so without a `server` the preview has no picture.
 */
const renderPreview = (page: PageContext, server: string): Html => {
  const { logo } = page.profile;
  return html`<meta property="og:title" content="Pay ${page.profile.displayName}">
<meta property="og:type" content="website">
<meta property="og:description" content="By bank transfer">
${logo && server !== '' && html`<meta property="og:image" content="${server}${logoPath(logo)}">`}`;
};

/** Renders a checkout's page. `server` is the origin of the request, such as `https://pay.example.ng`, or empty if unknown. */
export const checkoutPage = (page: PageContext, assets: CheckoutAssets, server = ''): PageDocument => {
  const { checkout, profile, view, now, sentAt, isEmbedded } = page;
  const origins = isEmbedded ? listFrameOrigins(checkout.mode, profile.websites) : [];
  return renderDocument({
    title: formatTitle(page),
    assets,
    profile,
    origins,
    main: renderMain(page),
    preview: renderPreview(page, server),
    body: html` data-view="${view.kind}" data-version="${checkout.version}" data-content="${contentName(page)}" data-status="${checkout.status}" data-reference="${checkout.reference}" data-now="${now}" data-expires="${shownAttempt(checkout).expiresAt}"${sentAt !== null && html` data-sent="${sentAt}"`}${isEmbedded && html` class="embedded" data-origins="${origins.join(' ')}"`}`,
    foot: html`<p>Reference <span class="ref">${checkout.reference}</span></p><p class="warning">This page never asks for your PIN, your password or a code from your bank.</p>`,
  });
};

/** Renders a page that explains a problem. If the problem `isTemporary`, the page's script loads the page again. */
export const problemPage = (
  assets: CheckoutAssets,
  title: string,
  explanation: string,
  isTemporary: boolean,
): PageDocument =>
  renderDocument({
    title,
    assets,
    profile: undefined,
    origins: [],
    main: html`<h1 tabindex="-1">${title}</h1><p>${explanation}</p>`,
    ...(isTemporary && { body: html` data-retry=""` }),
  });

import { DEFAULT_BRAND, textOn } from '#shared/businesses/domain/contrast.ts';
import { logoPath } from '#shared/businesses/domain/logo-path.ts';
import type { BusinessProfile, Logo } from '#shared/businesses/domain/profile.ts';
import { shownAttempt } from '#shared/checkouts/domain/attempt.ts';
import { Html, html } from '#shared/pages/html.ts';
import { sourceHash } from '#shared/pages/source-hash.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { CheckoutAssets } from './assets.ts';
import { contentName, renderMain } from './main.ts';
import { formatTitle, type PageContext } from './shown.ts';

/** A page with the headers that let it run. */
export interface PageDocument {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The business's colour, with the colour of text that can be read on it. */
const brandStyle = ({ brandColor }: Pick<BusinessProfile, 'brandColor'>): string => {
  const color = brandColor ?? DEFAULT_BRAND;
  return `:root{--brand:${color};--on-brand:${textOn(color)}}`;
};

/** Where a merchant's page may show this one in a frame: its websites, and in test mode the developer's own machine. */
const frameOrigins = (mode: Mode, websites: readonly string[]): readonly string[] =>
  mode === 'live' ? websites : [...websites, 'http://localhost:*', 'http://127.0.0.1:*'];

/** Lets the page run its own script and style and talk to this service, and nothing else (specification: docs/internals/payment-page.md). */
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

/** HTML whose text is our own file, not a value: the style and the script. */
const raw = (tag: 'style' | 'script', text: string): Html => {
  // A closing tag cannot be in them: the build fails on one.
  const [open, close] = tag === 'style' ? ['<style>', '</style>'] : ['<script type="module">', '</script>'];
  return new Html(`${open}${text}${close}`);
};

interface Frame {
  readonly title: string;
  readonly assets: CheckoutAssets;
  readonly profile: Pick<BusinessProfile, 'displayName' | 'brandColor' | 'logo'> | undefined;
  readonly origins: readonly string[];
  readonly main: Html;
  /** What a chat shows of the page that somebody pastes the link of into it. */
  readonly preview?: Html;
  readonly body?: Html;
  readonly foot?: Html;
}

/** The name stands beside it, so it needs no words of its own. Its size keeps its place until it is there. */
const logoImage = (logo: Logo): Html =>
  html`<img class="logo" src="${logoPath(logo)}" width="${logo.width}" height="${logo.height}" alt="">`;

const renderDocument = ({ title, assets, profile, origins, main, preview, body, foot }: Frame): PageDocument => {
  const brand = brandStyle({ brandColor: profile?.brandColor ?? null });
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${title}</title>
${preview}${raw('style', assets.style)}${raw('style', brand)}
</head>
<body${body}>
${profile && html`<header><p>${profile.logo && logoImage(profile.logo)}${profile.displayName}</p></header>`}
<main>${main}</main>
<p class="off" role="status" id="said"></p>
${foot && html`<footer>${foot}</footer>`}
${raw('script', assets.script)}
</body>
</html>
`;
  return {
    html: page.text,
    headers: buildHeaders(formatPolicy(assets, { brand, origins, hasLogo: Boolean(profile?.logo) })),
  };
};

/** What a chat shows. Neither the amount nor anything of the payer: chats keep previews for themselves. They follow no path without a server. */
const renderPreview = (page: PageContext, server: string): Html => {
  const { logo } = page.profile;
  return html`<meta property="og:title" content="Pay ${page.profile.displayName}">
<meta property="og:type" content="website">
<meta property="og:description" content="By bank transfer">
${logo && server !== '' && html`<meta property="og:image" content="${server}${logoPath(logo)}">`}`;
};

/** The page of a checkout. `server`: the address that it was asked for at, such as `https://pay.example.ng`; empty where that is not known. */
export const checkoutPage = (page: PageContext, assets: CheckoutAssets, server = ''): PageDocument => {
  const { checkout, profile, view, now, sentAt, isEmbedded } = page;
  const origins = isEmbedded ? frameOrigins(checkout.mode, profile.websites) : [];
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

/** A page that says why there is nothing to show. `mayPass`: its script tries again. */
export const problemPage = (assets: CheckoutAssets, title: string, what: string, mayPass: boolean): PageDocument =>
  renderDocument({
    title,
    assets,
    profile: undefined,
    origins: [],
    main: html`<h1 tabindex="-1">${title}</h1><p>${what}</p>`,
    ...(mayPass && { body: html` data-retry=""` }),
  });

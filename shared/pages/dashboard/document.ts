/** The dashboard's page and its content security policy. Everybody gets the same page. */
export interface DashboardPage {
  readonly html: string;
  readonly policy: string;
}

/** The dashboard's style and script, with their hashes for the policy. */
interface Assets {
  readonly style: string;
  readonly script: string;
  readonly styleHash: string;
  readonly scriptHash: string;
}

/** Placeholder for the stage's contact, whom members ask about a suspended business. The server replaces it. */
export const CONTACT_PLACEHOLDER = 'contact-of-this-stage.invalid';

/** Writes the policy: the page runs its own script and style, talks to this service only, and never turns a text into HTML. */
const formatPolicy = ({ styleHash, scriptHash }: Assets): string =>
  [
    "default-src 'none'",
    `script-src ${scriptHash}`,
    `style-src ${styleHash}`,
    "connect-src 'self'",
    // `data:` also allows the preview of a logo before it is uploaded.
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** The icon of the browser tab: money that lands. */
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#0b6b4f"/><path d="M12 5v9M8 10.5l4 4l4-4M6 18.5h12" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>';

/** Builds the empty page. The app fills it. */
export const dashboardPage = (assets: Assets): DashboardPage => ({
  policy: formatPolicy(assets),
  html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="contact" content="${CONTACT_PLACEHOLDER}">
<title>Payments dashboard</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
<style>${assets.style}</style>
</head>
<body>
<noscript>The dashboard needs JavaScript. Switch JavaScript on. The API and its documents at /docs work without it.</noscript>
<script type="module">${assets.script}</script>
</body>
</html>
`,
});

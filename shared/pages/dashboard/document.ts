/** The dashboard's page and the policy that lets it run: made once, the same for everybody. */
export interface DashboardPage {
  readonly html: string;
  readonly policy: string;
}

/** Style and script of the dashboard, with the hashes that its policy names. */
interface Assets {
  readonly style: string;
  readonly script: string;
  readonly styleHash: string;
  readonly scriptHash: string;
}

/** Stands in the page for whom to ask about a suspended business: a setting of the stage, which the server puts there. */
export const CONTACT_PLACEHOLDER = 'contact-of-this-stage.invalid';

/** Lets the page run its own script and style and talk to this service, and nothing else. Nothing in it makes HTML of a text. */
const formatPolicy = ({ styleHash, scriptHash }: Assets): string =>
  [
    "default-src 'none'",
    `script-src ${scriptHash}`,
    `style-src ${styleHash}`,
    "connect-src 'self'",
    // `data:` is also the file of a logo before it is sent.
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** The picture of the tab: money that lands. */
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#0b6b4f"/><path d="M12 5v9M8 10.5l4 4l4-4M6 18.5h12" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>';

/** The shell: the app fills it, once it knows who is signed in. */
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
<noscript>The dashboard needs JavaScript. The API and its documents at /docs do not.</noscript>
<script type="module">${assets.script}</script>
</body>
</html>
`,
});

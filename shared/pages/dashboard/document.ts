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

/** Lets the page run its own script and style and talk to this service, and nothing else. Nothing in it makes HTML of a text. */
const policyOf = ({ styleHash, scriptHash }: Assets): string =>
  [
    "default-src 'none'",
    `script-src ${scriptHash}`,
    `style-src ${styleHash}`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** The shell: the app fills it, once it knows who is signed in. */
export const dashboardPage = (assets: Assets): DashboardPage => ({
  policy: policyOf(assets),
  html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Payments dashboard</title>
<style>${assets.style}</style>
</head>
<body>
<noscript>The dashboard needs JavaScript. The API and its documents at /docs do not.</noscript>
<script type="module">${assets.script}</script>
</body>
</html>
`,
});

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ReceivedWebhook } from './store.ts';

const beside = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const STYLE = beside('./page.css');
const SCRIPT = beside('./page-refresh.js');

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Allows the page its own style and script and nothing else, so that what a webhook holds can never run. */
export const PAGE_POLICY = `default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(SCRIPT)}; connect-src 'self'; frame-ancestors 'none'`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

const pretty = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
};

const verdict = ({ verified, error }: ReceivedWebhook): string =>
  verified
    ? '<span class="good">Signature verified</span>'
    : `<span class="bad">Not verified: ${escapeHtml(error ?? 'no reason given')}</span>`;

/** Which attempt at its webhook each arrival is, and of how many: the same webhook-id came again. `webhooks` is newest first. */
const countAttempts = (webhooks: readonly ReceivedWebhook[]): string[] => {
  const total = new Map<string | null, number>();
  for (const { id } of webhooks) total.set(id, (total.get(id) ?? 0) + 1);
  const seen = new Map<string | null, number>();
  return webhooks.map(({ id }) => {
    const all = total.get(id) ?? 1;
    const newer = seen.get(id) ?? 0;
    seen.set(id, newer + 1);
    return id === null || all === 1 ? '' : `Attempt ${all - newer} of ${all}`;
  });
};

const time = (iso: string): string => `<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;

const entry = (webhook: ReceivedWebhook, attempts: string): string => `
    <li>
      <div class="head"><h2>${escapeHtml(webhook.type ?? 'Unknown type')}</h2>${verdict(webhook)}</div>
      <p class="quiet"><code>${escapeHtml(webhook.id ?? 'no webhook-id')}</code></p>
      <p class="quiet">Received ${time(webhook.received_at)}${attempts && `. ${attempts}.`}</p>
      <details id="${escapeHtml(`${webhook.received_at}-${webhook.id}`)}">
        <summary>Body</summary>
        <pre>${escapeHtml(pretty(webhook.body))}</pre>
      </details>
    </li>`;

const empty = (howToPay: string): string => `
    <div class="empty">
      <p><strong>Nothing has arrived yet.</strong> Pay a checkout and its webhook appears here:</p>
      <pre>${escapeHtml(howToPay)}</pre>
    </div>`;

const list = (webhooks: readonly ReceivedWebhook[]): string => {
  const attempts = countAttempts(webhooks);
  return `<ol>${webhooks.map((webhook, i) => entry(webhook, attempts[i] ?? '')).join('')}\n  </ol>`;
};

/** The inbox as a page: newest first. `howToPay` are the commands that make a first webhook arrive. */
export const inboxPage = (webhooks: readonly ReceivedWebhook[], howToPay: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Webhook inbox</title>
<style>${STYLE}</style>
</head>
<body>
<header>
  <h1>Webhook inbox</h1>
  <p class="quiet">What the demo business received, newest first, each checked with the <code>standardwebhooks</code> library. This page refreshes itself.</p>
</header>
<main>${webhooks.length > 0 ? list(webhooks) : empty(howToPay)}</main>
<script type="module">${SCRIPT}</script>
</body>
</html>
`;

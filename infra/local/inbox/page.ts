import { readFileSync } from 'node:fs';
import { escapeHtml, htmlPage, pagePolicy } from '#infra/local/pages/html.ts';
import type { ReceivedWebhook } from './store.ts';
import { summariseWebhook } from './summary.ts';

const SCRIPT = readFileSync(new URL('./page-refresh.js', import.meta.url), 'utf8');

/** Allows only the page's own style and script, so that the content of a webhook can never run. */
export const PAGE_POLICY = pagePolicy(SCRIPT);

const prettyPrint = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
};

const formatVerdict = ({ verified, error }: ReceivedWebhook): string =>
  verified
    ? '<span class="good">Signature verified</span>'
    : `<span class="bad">Not verified: ${escapeHtml(error ?? 'no reason given')}</span>`;

/** Numbers the arrivals with the same webhook-id as attempts, such as `Attempt 2 of 3`. `webhooks`: the newest first. */
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

const formatTime = (iso: string): string =>
  `<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;

/** Formats mode, reference, amount and reason, if the body has them. */
const formatSummary = (body: string): string => {
  const { mode, reference, amount, why } = summariseWebhook(body);
  const facts = [
    ...(mode === null ? [] : [`<span class="mode">${mode}</span>`]),
    ...(reference === null ? [] : [`<code>${escapeHtml(reference)}</code>`]),
    ...(amount === null ? [] : [`<span class="amount">${escapeHtml(amount)}</span>`]),
  ];
  const line = facts.length === 0 ? '' : `\n      <p>${facts.join(' ')}</p>`;
  return `${line}${why === null ? '' : `\n      <p>${escapeHtml(why)}</p>`}`;
};

const renderEntry = (webhook: ReceivedWebhook, attempts: string): string => `
    <li>
      <div class="head"><h2>${escapeHtml(webhook.type ?? 'Unknown type')}</h2>${formatVerdict(webhook)}</div>${formatSummary(webhook.body)}
      <p class="quiet">Received ${formatTime(webhook.received_at)}${attempts && `. ${attempts}`}. <code>${escapeHtml(webhook.id ?? 'no webhook-id')}</code></p>
      <details id="${escapeHtml(`${webhook.received_at}-${webhook.id}`)}">
        <summary>Body</summary>
        <pre>${escapeHtml(prettyPrint(webhook.body))}</pre>
      </details>
    </li>`;

const renderEmptyInbox = (howToPay: string): string => `
    <div class="empty">
      <p><strong>No webhook has arrived yet.</strong> Pay a checkout with these commands, and its webhook appears here:</p>
      <pre>${escapeHtml(howToPay)}</pre>
    </div>`;

const renderList = (webhooks: readonly ReceivedWebhook[]): string => {
  const attempts = countAttempts(webhooks);
  return `<ol>${webhooks.map((webhook, i) => renderEntry(webhook, attempts[i] ?? '')).join('')}\n  </ol>`;
};

const ABOUT =
  'These are the webhooks of the demo business, newest first. The <code>standardwebhooks</code> library checks each signature. This page refreshes itself.';

/** Makes the page of the inbox. `webhooks`: the newest first. `howToPay`: commands that cause a first webhook. */
export const inboxPage = (webhooks: readonly ReceivedWebhook[], howToPay: string): string =>
  htmlPage('Webhook inbox', ABOUT, webhooks.length > 0 ? renderList(webhooks) : renderEmptyInbox(howToPay), SCRIPT);

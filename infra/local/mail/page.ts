import { readFileSync } from 'node:fs';
import { escapeHtml, htmlPage, pagePolicy } from '#infra/local/pages/html.ts';
import type { StoredMail } from './store.ts';

const SCRIPT = readFileSync(new URL('../inbox/page-refresh.js', import.meta.url), 'utf8');

export const MAIL_POLICY = pagePolicy(SCRIPT);

const ABOUT = 'What the dashboard mailed, newest first. Nothing leaves this machine. This page refreshes itself.';

const entry = ({ to, subject, text, at }: StoredMail): string => `
    <li>
      <div class="head"><h2>${escapeHtml(subject)}</h2></div>
      <p class="quiet">To ${escapeHtml(to)}, <time datetime="${at}">${at.slice(0, 10)} ${at.slice(11, 19)} UTC</time></p>
      <pre>${escapeHtml(text)}</pre>
    </li>`;

const EMPTY = `
    <div class="empty">
      <p><strong>Nothing was mailed yet.</strong> Sign in to the dashboard, and its code appears here.</p>
    </div>`;

/** The mails as a page. */
export const mailPage = (mails: readonly StoredMail[]): string =>
  htmlPage('Mail', ABOUT, mails.length === 0 ? EMPTY : `<ol>${mails.map(entry).join('')}\n  </ol>`, SCRIPT);

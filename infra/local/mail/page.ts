import { readFileSync } from 'node:fs';
import { escapeHtml, htmlPage, pagePolicy } from '#infra/local/pages/html.ts';
import type { StoredMail } from './store.ts';

const SCRIPT = readFileSync(new URL('../inbox/page-refresh.js', import.meta.url), 'utf8');

export const MAIL_POLICY = pagePolicy(SCRIPT);

const ABOUT =
  'These are the e-mails of the dashboard, newest first. None leaves this machine. This page refreshes itself.';

const renderMail = ({ to, subject, text, at }: StoredMail): string => `
    <li>
      <div class="head"><h2>${escapeHtml(subject)}</h2></div>
      <p class="quiet">To ${escapeHtml(to)}, <time datetime="${at}">${at.slice(0, 10)} ${at.slice(11, 19)} UTC</time></p>
      <pre>${escapeHtml(text)}</pre>
    </li>`;

const EMPTY = `
    <div class="empty">
      <p><strong>There are no e-mails yet.</strong> Sign in to the dashboard, and the e-mail with the code appears here.</p>
    </div>`;

/** Makes the page of the e-mails. */
export const mailPage = (mails: readonly StoredMail[]): string =>
  htmlPage('Mail', ABOUT, mails.length === 0 ? EMPTY : `<ol>${mails.map(renderMail).join('')}\n  </ol>`, SCRIPT);

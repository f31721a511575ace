import { readFileSync } from 'node:fs';
import { REFUSALS } from '#shared/contract/kernel/errors.ts';
import { REFUSAL_NOTES } from './refusal-notes.ts';
import { SERVER_PLACEHOLDER } from './server-placeholder.ts';

/** The chapters in the order of reading: each is a file of `guide/chapters/`, and begins with its title. The introduction has none. */
const CHAPTERS = [
  'introduction',
  'a-first-payment',
  'authentication-and-modes',
  'test-mode',
  'money-and-time',
  'checkout-states',
  'the-name-on-the-account',
  'short-over-late-and-second-transfers',
  'idempotency',
  'rate-limits',
  'lists',
  'answers',
  'errors',
  'versions',
  'changelog',
  'a-client-in-typescript',
  'generated-clients',
  'retention',
  'webhooks',
  'verifying-webhooks',
  'recipes',
] as const;

const read = (name: string): string => readFileSync(new URL(`./guide/${name}`, import.meta.url), 'utf8').trim();

/** Every code with its status and sentence, as a table, and below it what some sentences leave out. */
const errorTable = (): string =>
  [
    '| code | HTTP | message |',
    '|---|---|---|',
    ...Object.entries(REFUSALS)
      .sort(([, a], [, b]) => a.status - b.status)
      .map(([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} |`),
    '',
    ...Object.entries(REFUSAL_NOTES).map(([code, note]) => `- \`${code}\`: ${note}`),
  ].join('\n');

const PARTS: Readonly<Record<string, () => string>> = {
  errors: errorTable,
  url: () => SERVER_PLACEHOLDER,
};

const filled = (text: string): string =>
  text.replaceAll(/\{\{([\w.]+)\}\}/g, (_, name: string) => PARTS[name]?.() ?? filled(read(`programs/${name}`)));

/** The guide in Markdown, with its programs, the table of errors and the address filled in. */
export const guide = (): string => CHAPTERS.map((name) => filled(read(`chapters/${name}.md`))).join('\n\n');

/** The guide in few sentences, for generated clients: many repeat it in each of their files. */
export const SUMMARY = `Virtual bank accounts, checkouts by bank transfer, and signed webhooks. The guide: ${SERVER_PLACEHOLDER}/docs. Amounts are naira with at most two decimals, times ISO 8601 in UTC.`;

import { readFileSync } from 'node:fs';
import { API_ERRORS } from '#shared/platform/contract/errors.ts';
import { ERROR_NOTES } from './error-notes.ts';
import { CONTACT_PLACEHOLDER, SERVER_PLACEHOLDER } from './server-placeholder.ts';

/**
 * The chapters in the order of reading. Each is the name of a file in `guide/chapters/`, and of the chapter's page below `/docs`. A file
 * begins with the chapter's title, except for the introduction, which has no title.
 */
const CHAPTERS = [
  'introduction',
  'a-first-payment',
  'authentication-and-modes',
  'test-mode',
  'going-live',
  'the-dashboard',
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
  'retention',
  'a-client-in-typescript',
  'generated-clients',
  'webhooks',
  'verifying-webhooks',
  'a-shop',
  'the-payment-page',
  'a-wallet',
  'webhooks-on-localhost',
  'reconciling',
  'refunds',
  'laravel-and-woocommerce',
] as const;

/** The titles of the menu's groups, by the chapter with which the group begins. */
const GROUPS: Readonly<Partial<Record<(typeof CHAPTERS)[number], string>>> = {
  introduction: 'Start',
  'going-live': 'Going live',
  'money-and-time': 'Money',
  idempotency: 'Requests and answers',
  'a-client-in-typescript': 'Clients',
  webhooks: 'Receiving webhooks',
  'a-shop': 'Recipes',
};

/** The chapters that the first page shows. */
export const FIRST_CHAPTERS: readonly string[] = ['introduction', 'a-first-payment'];

const readGuideFile = (name: string): string =>
  readFileSync(new URL(`./guide/${name}`, import.meta.url), 'utf8').trim();

/** Makes the table of all error codes: status, message, cause, and what to do. */
const errorTable = (): string =>
  [
    '| code | HTTP | message | cause | what to do |',
    '|---|---|---|---|---|',
    ...(Object.keys(API_ERRORS) as (keyof typeof API_ERRORS)[])
      .sort((a, b) => API_ERRORS[a].status - API_ERRORS[b].status)
      .map((code) => [`\`${code}\``, API_ERRORS[code].status, API_ERRORS[code].message, ERROR_NOTES[code]] as const)
      .map(([code, status, message, { cause, cure }]) => `| ${code} | ${status} | ${message} | ${cause} | ${cure} |`),
  ].join('\n');

const FILL_INS: Readonly<Record<string, () => string>> = {
  errors: errorTable,
  url: () => SERVER_PLACEHOLDER,
  contact: () => CONTACT_PLACEHOLDER,
};

const fillIn = (text: string): string =>
  text.replaceAll(
    /\{\{([\w.-]+)\}\}/g,
    (_, name: string) => FILL_INS[name]?.() ?? fillIn(readGuideFile(`programs/${name}`)),
  );

/** A chapter of the guide. */
export interface GuideChapter {
  /** The name in addresses. */
  readonly slug: string;
  /** The group of the menu that it belongs to. */
  readonly group: string;
  /** Empty for the introduction. */
  readonly title: string;
  /** Without its title. */
  readonly markdown: string;
}

/** Reads the chapters. Replaces each `{{…}}` in them: by a program, by the table of errors, or by the placeholder of the address or of the contact. */
export const chapters = (): readonly GuideChapter[] => {
  let group = '';
  return CHAPTERS.map((slug) => {
    group = GROUPS[slug] ?? group;
    const text = fillIn(readGuideFile(`chapters/${slug}.md`));
    const title = /^# (.+)\n/.exec(text)?.[1] ?? '';
    return { slug, group, title, markdown: title ? text.slice(text.indexOf('\n')).trim() : text };
  });
};

/** The whole guide in Markdown. */
export const guide = (): string =>
  chapters()
    .map(({ title, markdown }) => (title ? `# ${title}\n\n${markdown}` : markdown))
    .join('\n\n');

/** The guide in a few sentences. It is short, because many generated clients repeat it in each of their files. */
export const SUMMARY = `Virtual bank accounts, checkouts by bank transfer, and signed webhooks. The guide: ${SERVER_PLACEHOLDER}/docs. Amounts are naira with at most two decimals, times ISO 8601 in UTC.`;

import { readFileSync } from 'node:fs';
import { REFUSAL_NOTES } from './refusal-notes.ts';
import { SERVER_PLACEHOLDER } from './server-placeholder.ts';

type Refusals = Readonly<Record<string, { readonly status: number; readonly message: string }>>;

const read = (name: string): string => readFileSync(new URL(`./guide/${name}`, import.meta.url), 'utf8').trim();

/** Every code with its status and sentence, as a table, and below it what some sentences leave out. */
const errorTable = (refusals: Refusals): string =>
  [
    '| code | HTTP | message |',
    '|---|---|---|',
    ...Object.entries(refusals)
      .sort(([, a], [, b]) => a.status - b.status)
      .map(([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} |`),
    '',
    ...Object.entries(REFUSAL_NOTES).map(([code, note]) => `- \`${code}\`: ${note}`),
  ].join('\n');

/** The guide before the endpoints, in Markdown: guide.md with the receivers, the table of errors and the address filled in. */
export const guide = (refusals: Refusals): string => {
  const parts: Readonly<Record<string, () => string>> = {
    errors: () => errorTable(refusals),
    url: () => SERVER_PLACEHOLDER,
  };
  const filled = (text: string): string =>
    text.replaceAll(/\{\{([\w.]+)\}\}/g, (_, name: string) => parts[name]?.() ?? filled(read(name)));
  return filled(read('guide.md'));
};

import { readFileSync } from 'node:fs';

type Refusals = Readonly<Record<string, { readonly status: number; readonly message: string }>>;

const read = (name: string): string => readFileSync(new URL(`./guide/${name}`, import.meta.url), 'utf8').trim();

/** Every code with its status and sentence, as a table. */
const errorTable = (refusals: Refusals): string =>
  [
    '| code | HTTP | message |',
    '|---|---|---|',
    ...Object.entries(refusals)
      .sort(([, a], [, b]) => a.status - b.status)
      .map(([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} |`),
  ].join('\n');

/** The guide before the endpoints, in Markdown: guide.md with the receivers and the table of errors filled in. */
export const guide = (refusals: Refusals): string =>
  read('guide.md').replaceAll(/\{\{([\w.]+)\}\}/g, (_, name: string) =>
    name === 'errors' ? errorTable(refusals) : read(name),
  );

import type { IssuedKey } from '#shared/use-cases/businesses/issue-key.ts';

/** The output of a command: a JSON document for scripts, a text for people. */
export interface Answer {
  readonly json: unknown;
  readonly text: string;
}

/** How the command is called, for usage lines and for what to paste next. */
export const COMMAND = 'npm run --silent ops --';

/** The end of a help text: commands to paste. */
export const examples = (...commands: readonly string[]): string =>
  `\nExamples:\n${commands.map((command) => `  ${COMMAND} ${command}`).join('\n')}`;

/** Rows as aligned columns, indented by two spaces. */
export const columns = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return rows.map((row) => `  ${line(row)}`.trimEnd()).join('\n');
};

/** A table under its titles, or a sentence when it has no rows. */
export const listing = (titles: readonly string[], rows: readonly (readonly string[])[], whenEmpty: string): string =>
  rows.length === 0 ? whenEmpty : columns([titles, ...rows]);

/** Paragraphs, one blank line between them. */
export const paragraphs = (...texts: readonly string[]): string => texts.join('\n\n');

/** New keys in clear text, and what to do with them. */
export const issuedKeys = (keys: readonly IssuedKey[]): string =>
  paragraphs(
    columns(keys.map(({ id, mode, kind, key }) => [mode, kind, key, id])),
    'Keys are shown only this once: store them now, secret ones where only your servers can read them.',
  );

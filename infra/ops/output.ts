import type { IssuedKey } from '#shared/businesses/use-cases/issue-key.ts';
import { bold, dim, escapeHidden, inColour } from './colours.ts';

/** The output of a command: a JSON document for scripts, and a text for people. */
export interface Answer {
  readonly json: unknown;
  readonly text: string;
  /** The reason of exit code 1, printed after the answer: the command was done, but its result is bad. */
  readonly failure?: string;
}

/** The beginning of every command line, for usage and for commands to paste. */
export const COMMAND = 'npm run --silent ops --';

/** Formats the examples at the end of a help text. */
export const examples = (...commands: readonly string[]): string =>
  `\nExamples:\n${commands.map((command) => `  ${COMMAND} ${command}`).join('\n')}`;

/** Chooses the style of a cell of a table, for a terminal with colours. Returns a function that adds the style to the padded text. */
type CellStyle = (cell: {
  readonly row: number;
  readonly column: number;
  readonly text: string;
}) => (padded: string) => string;

const unstyled: CellStyle = () => (padded) => padded;

/** Formats rows as aligned columns, indented by two spaces. */
export const columns = (rows: readonly (readonly string[])[], style = unstyled): string => {
  const visibleRows = rows.map((row) => row.map(escapeHidden));
  const widths = (visibleRows[0] ?? []).map((_, column) =>
    Math.max(...visibleRows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[], row: number): string =>
    cells
      .map((text, column) => {
        const isLast = column === cells.length - 1;
        return style({ row, column, text })(isLast ? text : text.padEnd(widths[column] ?? 0));
      })
      .join('  ');
  return visibleRows.map((cells, row) => `  ${line(cells, row)}`.trimEnd()).join('\n');
};

/** Titles of columns, and labels of fields, whose values are coloured. */
const COLOURED_TITLES = new Set(['state', 'status', 'health']);
const isColoured = (title = ''): boolean => COLOURED_TITLES.has(title.toLowerCase());

const stateStyle =
  (text: string) =>
  (padded: string): string =>
    inColour(text, padded);

/** Formats a table with titles, or returns `whenEmpty` if it has no rows. */
export const listing = (titles: readonly string[], rows: readonly (readonly string[])[], whenEmpty: string): string =>
  rows.length === 0
    ? whenEmpty
    : columns([titles, ...rows], ({ row, column, text }) => {
        if (row === 0) return bold;
        return isColoured(titles[column]) ? stateStyle(text) : unstyled({ row, column, text });
      });

/** Formats the fields of one object, each with its label. */
export const fields = (rows: readonly (readonly [label: string, value: string])[]): string =>
  columns(rows, ({ row, column, text }) => {
    if (column === 0) return dim;
    return isColoured(rows[row]?.[0]) ? stateStyle(text) : unstyled({ row, column, text });
  });

/** Joins paragraphs with a blank line between them. */
export const paragraphs = (...texts: readonly string[]): string => texts.join('\n\n');

/** Formats new keys in clear text, and says what to do with them. */
export const issuedKeys = (keys: readonly IssuedKey[]): string =>
  paragraphs(
    columns(keys.map(({ id, mode, kind, key }) => [mode, kind, key, id])),
    'Keys are shown only this once. Store them now, and store secret keys where only your servers can read them.',
  );

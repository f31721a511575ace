/* Writes CSV files (RFC 4180) in which no spreadsheet finds a formula. */

export type Cell = string | number | boolean | null;

/**
 * A text that a spreadsheet takes for a formula, also with a full-width sign. The pattern includes apostrophes before the sign: so `'=1`,
 * too, gets one more apostrophe, and each text can be restored.
 */
const FORMULA = /^'*[=+\-@＝＋－＠\t\r]/;

/** Quotes a text, so that no reader takes it for a number or a date. An apostrophe goes before a formula. */
const formatCell = (value: Cell): string => {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  return `"${FORMULA.test(value) ? "'" : ''}${value.replaceAll('"', '""')}"`;
};

const formatLine = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;

/** Writes a CSV file with a header row of names that need no quotes. To restore a text that FORMULA matches, remove its first apostrophe. */
export const formatCsv = (header: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [formatLine(header), ...rows.map((row) => formatLine(row.map(formatCell)))].join('');

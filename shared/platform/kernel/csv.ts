/* Writes CSV files (RFC 4180) in which no spreadsheet finds a formula. */

export type Cell = string | number | boolean | null;

/** A text that a spreadsheet takes for a formula, with full-width signs, too. It may begin with an apostrophe that we did not add. */
const FORMULA = /^'*[=+\-@＝＋－＠\t\r]/;

/** Quotes a text, so that no reader takes it for a number or a date. An apostrophe goes before a formula. */
const formatCell = (value: Cell): string => {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  return `"${FORMULA.test(value) ? "'" : ''}${value.replaceAll('"', '""')}"`;
};

const formatLine = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;

/** Writes a CSV file with a header row of plain names. To restore a text, remove its first apostrophe if such a sign follows. */
export const formatCsv = (header: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [formatLine(header), ...rows.map((row) => formatLine(row.map(formatCell)))].join('');

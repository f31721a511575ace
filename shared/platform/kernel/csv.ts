/* CSV files as RFC 4180 has them, which no spreadsheet runs. */

export type Cell = string | number | boolean | null;

/** A spreadsheet takes a text that begins with such a sign, full-width ones too, for a formula. An apostrophe in front could be ours. */
const FORMULA = /^'*[=+\-@＝＋－＠\t\r]/;

/** Texts are quoted, so that no reader takes one for a number or a date; what would be a formula begins with an apostrophe. */
const cell = (value: Cell): string => {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  return `"${FORMULA.test(value) ? "'" : ''}${value.replaceAll('"', '""')}"`;
};

const line = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;

/** A CSV file with a header row of plain names. A text without its first apostrophe, where it has one before such a sign, is as it was. */
export const formatCsv = (header: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [line(header), ...rows.map((row) => line(row.map(cell)))].join('');

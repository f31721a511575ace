/** A spreadsheet takes a text that begins so for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** A cell that no spreadsheet takes for a formula. */
const cell = (text: string): string => `"${text.replace(FORMULA, "'$&").replaceAll('"', '""')}"`;

/** A CSV file, as RFC 4180 has it, with a header row. Whatever begins like a formula begins with an apostrophe. */
export const csvOf = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header.join(','), ...rows.map((row) => row.map(cell).join(','))].map((line) => `${line}\r\n`).join('');

/** A cell as a strict reader reads it: its text, and whether it was quoted. */
export interface ReadCell {
  readonly text: string;
  readonly isQuoted: boolean;
}

const QUOTED = /"((?:[^"]|"")*)"/y;
const BARE = /[^",\r\n]*/y;

/** Reads rows by the grammar of RFC 4180 section 2. @throws Error when the text breaks the grammar. */
const readRows = (csv: string): ReadCell[][] => {
  const rows: ReadCell[][] = [];
  let row: ReadCell[] = [];
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(csv);
  };
  while (at < csv.length) {
    const cell = match(QUOTED) ?? match(BARE);
    const [whole = '', inQuotes] = cell ?? [];
    row.push({ text: (inQuotes ?? whole).replaceAll('""', '"'), isQuoted: inQuotes !== undefined });
    at += whole.length;
    if (csv.startsWith(',', at)) {
      at += 1;
    } else if (csv.startsWith('\r\n', at)) {
      at += 2;
      rows.push(row);
      row = [];
    } else {
      throw new Error(`Neither a comma nor the end of a line at ${at}: ${JSON.stringify(csv.slice(at, at + 20))}`);
    }
  }
  if (row.length > 0) throw new Error('The last line does not end.');
  return rows;
};

/** Reads the rows of a CSV file by column name. @throws Error when it is no CSV, or a row has another length. */
export const readCsv = (csv: string): { header: string[]; rows: Record<string, ReadCell>[] } => {
  const [first = [], ...others] = readRows(csv);
  const header = first.map(({ text }) => text);
  const rows = others.map((cells) => {
    if (cells.length !== header.length)
      throw new Error(`A row has ${cells.length} cells, the header ${header.length}.`);
    return Object.fromEntries(cells.map((cell, i) => [header[i] ?? '', cell]));
  });
  return { header, rows };
};

/** Removes the apostrophe that guards a text against being read as a formula, as the guide tells integrators to do. */
export const removeFormulaGuard = (text: string): string => text.replace(/^'('*[=+\-@＝＋－＠\t\r])/, '$1');

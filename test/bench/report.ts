/** A cell of a table: text, or a measured number. */
export type Cell = string | number;

export interface Table {
  readonly title: string;
  /** One or two sentences: what was measured, and how. */
  readonly about: string;
  readonly rows: readonly Readonly<Record<string, Cell>>[];
}

/** The results of a section of the bench: its tables, and a sentence for every missed budget of performance.md. */
export interface Findings {
  readonly tables: readonly Table[];
  readonly misses: readonly string[];
}

/** Rounds a number to `digits` decimals. */
export const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

const listColumns = ({ rows }: Table): string[] => [...new Set(rows.flatMap((row) => Object.keys(row)))];

const formatCell = (cell: Cell | undefined): string =>
  typeof cell === 'number' ? cell.toLocaleString('en', { maximumFractionDigits: 3 }) : (cell ?? '');

const isNumeric = (table: Table, column: string): boolean =>
  table.rows.every((row) => row[column] === undefined || row[column] === '–' || typeof row[column] === 'number');

/** Formats a table for a terminal: columns aligned, numbers to the right. */
export const asText = (table: Table): string => {
  const columns = listColumns(table);
  const widths = columns.map((column) =>
    Math.max(column.length, ...table.rows.map((row) => formatCell(row[column]).length)),
  );
  const line = (cells: readonly string[], pad: (cell: string, column: number) => string): string =>
    cells.map(pad).join('  ').trimEnd();
  const pad = (cell: string, i: number): string =>
    isNumeric(table, columns[i] ?? '') ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0);
  const rows = table.rows.map((row) =>
    line(
      columns.map((column) => formatCell(row[column])),
      pad,
    ),
  );
  return [table.title, table.about, '', line(columns, pad), ...rows].join('\n');
};

/** Formats a table in Markdown. */
export const asMarkdown = (table: Table): string => {
  const columns = listColumns(table);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rules = columns.map((column) => (isNumeric(table, column) ? '---:' : '---'));
  const rows = table.rows.map((row) => line(columns.map((column) => formatCell(row[column]))));
  return [`**${table.title}.** ${table.about}`, '', line(columns), line(rules), ...rows].join('\n');
};

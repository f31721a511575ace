export const COSTS_DOCUMENT = 'docs/operating/costs.md';
export const SCALING_DOCUMENT = 'docs/operating/scaling.md';

/** The tables of a document, by the names of their marks. */
export type Tables = Readonly<Record<string, string>>;

/** Makes a table in Markdown. */
export const table = (header: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/**
 * Replaces the text between the marks of each table of a document.
 * @throws Error if the document lacks the marks of a table.
 */
export const withTables = (document: string, tables: Tables): string =>
  Object.entries(tables).reduce((text, [name, markdown]) => {
    const [begin, end] = [`<!-- made by npm run costs: ${name} -->\n`, `<!-- end: ${name} -->`];
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from === -1 || to < from) throw new Error(`The document has no marks for the table "${name}".`);
    return `${text.slice(0, from + begin.length)}\n${markdown}\n\n${text.slice(to)}`;
  }, document);

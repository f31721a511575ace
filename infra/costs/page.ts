export const COSTS_PAGE = 'infra/docs/costs.md';

/**
 * Replaces what stands between the marks of each table.
 * @throws Error when the page lacks the marks of a table.
 */
export const withTables = (page: string, tables: Readonly<Record<string, string>>): string =>
  Object.entries(tables).reduce((text, [name, markdown]) => {
    const [begin, end] = [`<!-- made by npm run costs: ${name} -->\n`, `<!-- end: ${name} -->`];
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from === -1 || to < from) throw new Error(`${COSTS_PAGE} has no place for the table "${name}".`);
    return `${text.slice(0, from + begin.length)}\n${markdown}\n\n${text.slice(to)}`;
  }, page);

import { readFile, writeFile } from 'node:fs/promises';

/** The document with the measurements. */
export const PERFORMANCE_DOCUMENT = 'docs/internals/performance.md';

const marks = (name: string) => [`<!-- measured: ${name} -->`, `<!-- end: ${name} -->`] as const;

/**
 * Replaces the text between the two marks of a name in a document.
 * @throws Error when the document does not have the marks.
 */
export const insertMeasurements = (page: string, name: string, markdown: string): string => {
  const [begin, end] = marks(name);
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from)
    throw new Error(`${PERFORMANCE_DOCUMENT} has no place for "${name}": it needs ${begin} and ${end}.`);
  return `${page.slice(0, from + begin.length)}\n${markdown.trim()}\n${page.slice(to)}`;
};

/** Writes the measurements into the document, each between its marks. */
export const writeMeasurements = async (measured: Readonly<Record<string, string>>): Promise<void> => {
  let page = await readFile(PERFORMANCE_DOCUMENT, 'utf8');
  for (const [name, markdown] of Object.entries(measured)) page = insertMeasurements(page, name, markdown);
  await writeFile(PERFORMANCE_DOCUMENT, page);
};

import { escapeHtml } from '#shared/pages/html.ts';

/** Makes an id from a title: `Money and time` becomes `money-and-time`. */
export const makeSlug = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** A table row with its cells as HTML. */
export interface Row {
  readonly id?: string | undefined;
  readonly cells: readonly string[];
}

/**
 * Renders a table. The keyboard can scroll it if it is too wide. On a narrow screen the cells of a row stand one below the other, each with
 * its column's heading.
 * @param label The name for screen readers.
 * @param head The headings as HTML.
 */
export const renderTable = (label: string, head: readonly string[], rows: readonly Row[]): string => {
  const labels = head.map((heading) => escapeHtml(heading.replaceAll(/<[^>]+>/g, '')));
  const renderRow = ({ id, cells }: Row): string =>
    `<tr${id ? ` id="${id}"` : ''}>${cells.map((cell, i) => `<td data-label="${labels[i] ?? ''}">${cell}</td>`).join('')}</tr>`;
  return `<div class="table" tabindex="0" role="group" aria-label="${escapeHtml(label)}"><table><thead><tr>${head.map((heading) => `<th scope="col">${heading}</th>`).join('')}</tr></thead><tbody>${rows.map(renderRow).join('')}</tbody></table></div>\n`;
};

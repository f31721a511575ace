import { escapeHtml } from '#shared/pages/html.ts';
import { eventId, guideHeadings, objectId, tagId } from './links.ts';
import type { Parsed } from './parsed.ts';

interface Item {
  readonly id: string;
  readonly html: string;
}

const groupOf = (title: string, id: string | undefined, items: readonly Item[]): string => {
  const heading = id ? `<a href="#${id}">${escapeHtml(title)}</a>` : escapeHtml(title);
  return `<li><p class="title">${heading}</p><ul>${items.map((one) => `<li><a href="#${one.id}">${one.html}</a></li>`).join('')}</ul></li>`;
};

/** An event type, which may break after its dots and underscores. */
const breakable = (type: string): string => escapeHtml(type).replaceAll(/[._]/g, '$&<wbr>');

/** The short form of a method that fits beside a title. */
const SHORT: Readonly<Record<string, string>> = { DELETE: 'DEL' };

/** The menu: chapters of the guide, endpoints and webhooks by their groups, objects. */
export const navigation = ({ guide, tags, endpoints, webhooks }: Parsed, objects: readonly string[]): string => {
  const chapters = guideHeadings(guide).filter(({ depth }) => depth === 1);
  const groups = tags.map(({ name }) =>
    groupOf(name, tagId(name), [
      ...endpoints
        .filter((one) => one.tags.includes(name))
        .map(({ operationId, summary, method }) => ({
          id: operationId,
          html: `<span class="name">${escapeHtml(summary)}</span> <span class="method ${method.toLowerCase()}">${SHORT[method] ?? method}</span>`,
        })),
      ...webhooks
        .filter((one) => one.tags.includes(name))
        .map(({ summary }) => ({ id: eventId(summary), html: `<span class="name">${breakable(summary)}</span>` })),
    ]),
  );
  return `<nav aria-label="Contents"><input type="checkbox" id="menu" class="menu"><label for="menu" class="menu">Menu</label><ul>
${groupOf(
  'Guide',
  'top',
  chapters.map(({ id, title }) => ({ id, html: `<span class="name">${escapeHtml(title)}</span>` })),
)}
${groups.join('\n')}
${groupOf(
  'Objects',
  'objects',
  objects.map((name) => ({ id: objectId(name), html: `<span class="name">${escapeHtml(name)}</span>` })),
)}
</ul></nav>`;
};

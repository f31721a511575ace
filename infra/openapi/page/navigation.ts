import { escapeHtml } from '#shared/pages/html.ts';
import { groupPages, type Page } from './pages.ts';

const renderMenuItem = ({ path, title, entries }: Page, current: string | undefined): string => {
  const link = `<a href="${path}"${path === current ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a>`;
  if (path !== current || entries.length === 0) return `<li>${link}</li>`;
  return `<li>${link}<ul>${entries.map(({ id, html }) => `<li><a href="#${id}">${html}</a></li>`).join('')}</ul></li>`;
};

/** Renders the menu: every page in its group, and the parts of the current page below it. */
export const renderNavigation = (pages: readonly Page[], current: string | undefined): string => {
  const groups = groupPages(pages).map(
    ([group, pagesInGroup]) =>
      `<li><p class="title">${escapeHtml(group)}</p><ul>${pagesInGroup.map((page) => renderMenuItem(page, current)).join('')}</ul></li>`,
  );
  return `<nav aria-label="Contents"><input type="checkbox" id="menu" class="menu"><label for="menu" class="menu">Menu</label><ul>
${groups.join('\n')}
</ul></nav>`;
};

const renderTurnLink = (page: Page | undefined, rel: 'prev' | 'next', label: string): string =>
  page ? `<a rel="${rel}" href="${page.path}"><span>${label}</span> ${escapeHtml(page.title)}</a>` : '';

/** Renders the links to the previous and the next page. */
export const renderPageTurns = (pages: readonly Page[], page: Page): string => {
  const index = pages.indexOf(page);
  return `<p class="turns">${renderTurnLink(pages[index - 1], 'prev', 'Previous')}${renderTurnLink(pages[index + 1], 'next', 'Next')}</p>`;
};

import { PLACEHOLDERS, type Placeholders } from '#infra/openapi/server-placeholder.ts';
import { START } from './links.ts';
import { renderPageTurns } from './navigation.ts';
import { makePages } from './pages.ts';
import { type ParsedDocument, parseDocument } from './parsed.ts';
import { makeSearchIndex } from './search-index.ts';
import { POLICY, renderShell } from './shell.ts';

/** The texts of everything below `/docs`, with placeholders. */
export interface Site {
  readonly placeholders: Placeholders;
  /** The pages' Content-Security-Policy. */
  readonly policy: string;
  /** HTML by its path. */
  readonly pages: Readonly<Record<string, string>>;
  /** HTML for every other path. */
  readonly missing: string;
  /** The search index as JSON. */
  readonly search: string;
}

const MISSING = `<section class="chapter" id="missing"><h1>There is no such page</h1>
<p>The documentation begins at <a href="${START}">${START}</a>. The menu lists every page.</p></section>`;

/** Makes the pages with the guide and the API document. */
export const makeSite = (document: ParsedDocument = parseDocument()): Site => {
  const pages = makePages(document);
  return {
    placeholders: PLACEHOLDERS,
    policy: POLICY,
    pages: Object.fromEntries(
      pages.map((page) => [
        page.path,
        renderShell(document, pages, { ...page, main: `${page.main}\n${renderPageTurns(pages, page)}` }),
      ]),
    ),
    missing: renderShell(document, pages, { title: 'No such page', main: MISSING, path: undefined }),
    search: JSON.stringify(makeSearchIndex(pages)),
  };
};

import { site } from '#infra/openapi/published/site.ts';
import { chainDeps } from '#shared/api/compose-chain.ts';
import { publishedEnv } from '#shared/api/env-published.ts';
import { type PublishedDeps, type Template, templateApi } from '#shared/api/published.ts';
import { escapeHtml } from '#shared/pages/html.ts';
import { readEnv } from '#shared/platform/env.ts';
import { contactWords } from '#shared/platform/kernel/contact.ts';

/** The documentation pages by their paths, one page for all other paths, their content security policy, and the search index. */
interface Docs extends Pick<Template, 'placeholders'> {
  readonly policy: string;
  readonly pages: Readonly<Record<string, string>>;
  readonly missing: string;
  readonly search: string;
}

/** Serves the documentation pages: the guide and the API document. */
export const serveDocsHandler = (deps: PublishedDeps & { readonly docs: () => Docs }) =>
  templateApi(deps, ({ rawPath }) => {
    const { placeholders, policy, pages, missing, search } = deps.docs();
    if (rawPath === '/docs/search.json') return { type: 'application/json; charset=utf-8', text: search, placeholders };
    const page = pages[rawPath.replace(/\/$/, '')];
    return {
      type: 'text/html; charset=utf-8',
      text: page ?? missing,
      placeholders,
      statusCode: page === undefined ? 404 : 200,
      headers: { 'content-security-policy': policy },
    };
  });

const env = readEnv(publishedEnv, process.env);
export const handler = serveDocsHandler({
  ...chainDeps(env),
  contact: escapeHtml(contactWords(env.CONTACT)),
  docs: site,
});

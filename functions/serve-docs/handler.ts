// biome-ignore lint/style/noRestrictedImports: evaluated at build time; the function holds its result (infra/openapi/build-plugin.ts).
import { site } from '#infra/openapi/published/site.ts';
import { publicDeps } from '#shared/composition/public.ts';
import { readEnv, stageEnv } from '#shared/env/kernel.ts';
import type { PublicDeps } from '#shared/http/kernel/types.ts';
import { filledApi, type Template } from '#shared/http/published.ts';

/** The pages by their paths, one for every other path, their policy, and what their search finds. */
interface Docs extends Pick<Template, 'placeholders'> {
  readonly policy: string;
  readonly pages: Readonly<Record<string, string>>;
  readonly missing: string;
  readonly search: string;
}

/** Serves the pages that show the guide and the API document to people. */
export const serveDocsHandler = (deps: PublicDeps & { readonly docs: () => Docs }) =>
  filledApi(deps, ({ rawPath }) => {
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

export const handler = serveDocsHandler({ ...publicDeps(readEnv(stageEnv, process.env)), docs: site });

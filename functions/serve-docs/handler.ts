// biome-ignore lint/style/noRestrictedImports: evaluated at build time; the function holds its result (infra/openapi/build-plugin.ts).
import { docsPage } from '#infra/openapi/published/page.ts';
import { publicDeps } from '#shared/composition/public.ts';
import { readEnv, stageEnv } from '#shared/env/kernel.ts';
import type { PublicDeps } from '#shared/http/kernel/types.ts';
import { publishedApi } from '#shared/http/published.ts';

/** Serves the page that shows the API document to people. */
export const serveDocsHandler = (deps: PublicDeps & { page: () => { policy: string; etag: string; brotli: Buffer } }) =>
  publishedApi(deps, () => {
    const { policy, etag, brotli } = deps.page();
    return {
      type: 'text/html; charset=utf-8',
      content: { brotli },
      etag,
      headers: { 'content-security-policy': policy },
    };
  });

export const handler = serveDocsHandler({ ...publicDeps(readEnv(stageEnv, process.env)), page: docsPage });

// biome-ignore lint/style/noRestrictedImports: evaluated at build time; the function holds its result (infra/openapi/build-plugin.ts).
import { documentJson } from '#infra/openapi/published/document.ts';
import { publicDeps } from '#shared/composition/public.ts';
import { readEnv, stageEnv } from '#shared/env/kernel.ts';
import type { PublicDeps } from '#shared/http/kernel/types.ts';
import { filledApi, type Template } from '#shared/http/published.ts';

/** Serves the API document as JSON, with the called address as its server. */
export const serveOpenapiHandler = (deps: PublicDeps & { document: () => Omit<Template, 'type'> }) =>
  filledApi(deps, () => ({ type: 'application/json; charset=utf-8', ...deps.document() }));

export const handler = serveOpenapiHandler({ ...publicDeps(readEnv(stageEnv, process.env)), document: documentJson });

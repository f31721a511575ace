// biome-ignore lint/style/noRestrictedImports: evaluated at build time; the function holds its result (infra/openapi/build-plugin.ts).
import { documentYaml } from '#infra/openapi/published/yaml.ts';
import { publicDeps } from '#shared/composition/public.ts';
import { readEnv, stageEnv } from '#shared/env/kernel.ts';
import type { PublicDeps } from '#shared/http/kernel/types.ts';
import { filledApi, type Template } from '#shared/http/published.ts';

/** Serves the API document as YAML, with the called address as its server. */
export const serveOpenapiYamlHandler = (deps: PublicDeps & { document: () => Omit<Template, 'type'> }) =>
  filledApi(deps, () => ({ type: 'application/yaml; charset=utf-8', ...deps.document() }));

export const handler = serveOpenapiYamlHandler({
  ...publicDeps(readEnv(stageEnv, process.env)),
  document: documentYaml,
});

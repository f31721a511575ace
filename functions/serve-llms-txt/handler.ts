// biome-ignore lint/style/noRestrictedImports: evaluated at build time; the function holds its result (infra/openapi/build-plugin.ts).
import { llmsText } from '#infra/openapi/published/llms.ts';
import { publicDeps } from '#shared/composition/public.ts';
import { readEnv, stageEnv } from '#shared/env/kernel.ts';
import type { PublicDeps } from '#shared/http/kernel/types.ts';
import { filledApi, type Template } from '#shared/http/published.ts';

/** Serves the guide and the list of endpoints as plain text, for language models and for people at a terminal. */
export const serveLlmsTxtHandler = (deps: PublicDeps & { text: () => Omit<Template, 'type'> }) =>
  filledApi(deps, () => ({ type: 'text/plain; charset=utf-8', ...deps.text() }));

export const handler = serveLlmsTxtHandler({ ...publicDeps(readEnv(stageEnv, process.env)), text: llmsText });

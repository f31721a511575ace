import { widgetScript } from '#infra/pages/widget-script.ts';
import { chainDeps } from '#shared/api/compose-chain.ts';
import type { ChainDeps } from '#shared/api/http/types.ts';
import { publishedApi } from '#shared/api/published.ts';
import { readEnv, stageEnv } from '#shared/platform/env.ts';

/** Serves the script that shows the payment page on a merchant's page. */
export const serveWidgetHandler = (deps: ChainDeps & { readonly script: () => string }) =>
  publishedApi(deps, () => ({ type: 'text/javascript; charset=utf-8', content: deps.script() }), {
    isForOtherSites: true,
  });

export const handler = serveWidgetHandler({ ...chainDeps(readEnv(stageEnv, process.env)), script: widgetScript });

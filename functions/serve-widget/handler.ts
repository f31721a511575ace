import { widgetScript } from '#infra/pages/widget-script.ts';
import { publicDeps } from '#shared/api/compose-public.ts';
import type { PublicDeps } from '#shared/api/kernel/types.ts';
import { publishedApi } from '#shared/api/published.ts';
import { readEnv, stageEnv } from '#shared/platform/env.ts';

/** Serves the script with which a merchant's page shows a payment page. */
export const serveWidgetHandler = (deps: PublicDeps & { readonly script: () => string }) =>
  publishedApi(deps, () => ({ type: 'text/javascript; charset=utf-8', content: deps.script() }), {
    isForOtherSites: true,
  });

export const handler = serveWidgetHandler({ ...publicDeps(readEnv(stageEnv, process.env)), script: widgetScript });

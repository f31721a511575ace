import { widgetScript } from '#infra/pages/widget-script.ts';
import { publicDeps } from '#shared/composition/public.ts';
import { readEnv, stageEnv } from '#shared/env/kernel.ts';
import type { PublicDeps } from '#shared/http/kernel/types.ts';
import { publishedApi } from '#shared/http/published.ts';

/** Serves the script with which a merchant's page shows a payment page. */
export const serveWidgetHandler = (deps: PublicDeps & { readonly script: () => string }) =>
  publishedApi(deps, () => ({ type: 'text/javascript; charset=utf-8', content: deps.script() }), {
    isForOtherSites: true,
  });

export const handler = serveWidgetHandler({ ...publicDeps(readEnv(stageEnv, process.env)), script: widgetScript });

import { widgetScript } from '#infra/pages/widget-script.ts';
import { stackDeps } from '#shared/api/compose-stack.ts';
import type { StackDeps } from '#shared/api/http/types.ts';
import { publishedApi } from '#shared/api/published.ts';
import { readEnv, stageEnv } from '#shared/platform/env.ts';

/** Serves the script that shows the payment page on a merchant's page. */
export const serveWidgetHandler = (deps: StackDeps & { readonly script: () => string }) =>
  publishedApi(deps, () => ({ type: 'text/javascript; charset=utf-8', content: deps.script() }), {
    isForOtherSites: true,
  });

export const handler = serveWidgetHandler({ ...stackDeps(readEnv(stageEnv, process.env)), script: widgetScript });

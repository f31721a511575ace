import { dashboardPage } from '#infra/pages/dashboard-page.ts';
import { stackDeps } from '#shared/api/compose-stack.ts';
import type { StackDeps } from '#shared/api/http/types.ts';
import { publishedApi } from '#shared/api/published.ts';
import type { DashboardPage } from '#shared/pages/dashboard/document.ts';
import { readEnv, stageEnv } from '#shared/platform/env.ts';

/** Serves the dashboard's page, the same under every path: it holds nothing of any business. */
export const serveDashboardHandler = (deps: StackDeps & { readonly page: () => DashboardPage }) =>
  publishedApi(deps, () => {
    const { html, policy } = deps.page();
    return { type: 'text/html; charset=utf-8', content: html, headers: { 'content-security-policy': policy } };
  });

export const handler = serveDashboardHandler({ ...stackDeps(readEnv(stageEnv, process.env)), page: dashboardPage });

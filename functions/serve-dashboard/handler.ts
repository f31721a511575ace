import { dashboardPage } from '#infra/pages/dashboard-page.ts';
import { publicDeps } from '#shared/api/compose-public.ts';
import type { PublicDeps } from '#shared/api/kernel/types.ts';
import { publishedApi } from '#shared/api/published.ts';
import type { DashboardPage } from '#shared/pages/dashboard/document.ts';
import { readEnv, stageEnv } from '#shared/platform/env.ts';

/** Serves the dashboard's page, the same under every path: it holds nothing of any business. */
export const serveDashboardHandler = (deps: PublicDeps & { readonly page: () => DashboardPage }) =>
  publishedApi(deps, () => {
    const { html, policy } = deps.page();
    return { type: 'text/html; charset=utf-8', content: html, headers: { 'content-security-policy': policy } };
  });

export const handler = serveDashboardHandler({ ...publicDeps(readEnv(stageEnv, process.env)), page: dashboardPage });

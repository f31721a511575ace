import { dashboardPage } from '#infra/pages/dashboard-page.ts';
import { chainDeps } from '#shared/api/compose-chain.ts';
import { publishedEnv } from '#shared/api/env-published.ts';
import { type PublishedDeps, publishedApi } from '#shared/api/published.ts';
import { CONTACT_PLACEHOLDER, type DashboardPage } from '#shared/pages/dashboard/document.ts';
import { escapeHtml } from '#shared/pages/html.ts';
import { readEnv } from '#shared/platform/env.ts';
import { contactWords } from '#shared/platform/kernel/contact.ts';

/** Serves the dashboard's page. It is the same under every path and holds no business's data. */
export const serveDashboardHandler = (deps: PublishedDeps & { readonly page: () => DashboardPage }) =>
  publishedApi(deps, () => {
    const { html, policy } = deps.page();
    // A function, because `$` is special in a replacement text.
    const content = html.replace(CONTACT_PLACEHOLDER, () => deps.contact);
    return { type: 'text/html; charset=utf-8', content, headers: { 'content-security-policy': policy } };
  });

const env = readEnv(publishedEnv, process.env);
export const handler = serveDashboardHandler({
  ...chainDeps(env),
  contact: escapeHtml(contactWords(env.CONTACT)),
  page: dashboardPage,
});

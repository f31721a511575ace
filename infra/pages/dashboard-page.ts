import { buildSync } from 'esbuild';
import { type DashboardPage, dashboardPage as makeDashboardPage } from '#shared/pages/dashboard/document.ts';
import { sourceHash } from '#shared/pages/source-hash.ts';
import { browserScript, ensureNoClosingTag, resolvePath } from './browser-script.ts';

/* Runs when the functions are built. Bundles contain only its result, not this code (infra/openapi/build-plugin.ts). */

let cached: DashboardPage | undefined;

/** Bundles the style with the files that it imports. @throws Error if the result is not one file. */
const bundleStyle = (): string => {
  const { outputFiles } = buildSync({
    entryPoints: [resolvePath('dashboard/style.css')],
    bundle: true,
    minify: true,
    write: false,
  });
  const [style] = outputFiles;
  if (!style || outputFiles.length > 1) throw new Error('The style of the dashboard must bundle to one file.');
  return style.text.trim();
};

/** Builds the page of the dashboard, for browsers that know ES2023. */
export const dashboardPage = (): DashboardPage => {
  if (cached) return cached;
  const style = ensureNoClosingTag(bundleStyle());
  const script = ensureNoClosingTag(browserScript('dashboard/client/app.tsx', 'esm', 'es2023'));
  cached = makeDashboardPage({ style, script, styleHash: sourceHash(style), scriptHash: sourceHash(script) });
  return cached;
};

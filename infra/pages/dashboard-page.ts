import { buildSync } from 'esbuild';
import { type DashboardPage, dashboardPage as pageWith } from '#shared/pages/dashboard/document.ts';
import { sourceHash } from '#shared/pages/source-hash.ts';
import { browserScript, ensureNoClosingTag, resolvePath } from './browser-script.ts';

/* Evaluated when the functions are built: the bundle holds the value, and nothing that makes it (infra/openapi/build-plugin.ts). */

let cached: DashboardPage | undefined;

/** The style, of the files that it imports. @throws Error where they are not bundled to one. */
const bundledStyle = (): string => {
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

/** The dashboard's page. Those who work in it have browsers of the last years. */
export const dashboardPage = (): DashboardPage => {
  if (cached) return cached;
  const style = ensureNoClosingTag(bundledStyle());
  const script = ensureNoClosingTag(browserScript('dashboard/client/app.tsx', 'esm', 'es2023'));
  cached = pageWith({ style, script, styleHash: sourceHash(style), scriptHash: sourceHash(script) });
  return cached;
};

import { buildSync } from 'esbuild';
import { type DashboardPage, dashboardPage as pageWith } from '#shared/pages/dashboard/document.ts';
import { sourceHash } from '#shared/pages/source-hash.ts';
import { browserScript, pathOf, refuseEnd } from './browser-script.ts';

/* Evaluated when the functions are built: the bundle holds the value, and nothing that makes it (infra/openapi/build-plugin.ts). */

let made: DashboardPage | undefined;

/** The style, of the files that it imports. @throws Error where they are not bundled to one. */
const bundledStyle = (): string => {
  const { outputFiles } = buildSync({
    entryPoints: [pathOf('dashboard/style.css')],
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
  if (made) return made;
  const style = refuseEnd(bundledStyle());
  const script = refuseEnd(browserScript('dashboard/client/app.tsx', 'esm', 'es2023'));
  made = pageWith({ style, script, styleHash: sourceHash(style), scriptHash: sourceHash(script) });
  return made;
};

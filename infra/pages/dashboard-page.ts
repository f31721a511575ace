import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { type DashboardPage, dashboardPage as pageWith } from '#shared/pages/dashboard/document.ts';
import { sourceHash } from '#shared/pages/source-hash.ts';
import { browserScript, pathOf, refuseEnd } from './browser-script.ts';

/* Evaluated when the functions are built: the bundle holds the value, and nothing that makes it (infra/openapi/build-plugin.ts). */

let made: DashboardPage | undefined;

/** The dashboard's page. Those who work in it have browsers of the last years. */
export const dashboardPage = (): DashboardPage => {
  if (made) return made;
  const css = readFileSync(pathOf('dashboard/style.css'), 'utf8');
  const style = refuseEnd(transformSync(css, { loader: 'css', minify: true }).code.trim());
  const script = refuseEnd(browserScript('dashboard/client/app.tsx', 'esm', 'es2023'));
  made = pageWith({ style, script, styleHash: sourceHash(style), scriptHash: sourceHash(script) });
  return made;
};

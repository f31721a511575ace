import { browserScript } from './browser-script.ts';

/* Runs when the functions are built. Bundles contain only its result, not this code (infra/openapi/build-plugin.ts). */

let cached: string | undefined;

/** Builds the widget script that merchants' pages load. */
export const widgetScript = (): string => {
  cached ??= browserScript('widget/client/widget.ts', 'iife');
  return cached;
};

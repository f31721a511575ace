import { browserScript } from './browser-script.ts';

/* Evaluated when the functions are built: the bundle holds the value, and nothing that makes it (infra/openapi/build-plugin.ts). */

let cached: string | undefined;

/** The script that a merchant's page loads. */
export const widgetScript = (): string => {
  cached ??= browserScript('widget/client/widget.ts', 'iife');
  return cached;
};

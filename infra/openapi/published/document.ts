import { makeDocument } from '#infra/openapi/document.ts';
import { PLACEHOLDERS } from '#infra/openapi/server-placeholder.ts';

/* Evaluated when the functions are built: the bundle reads the value from a file, and holds nothing that makes it (build-plugin.ts). */

let text: string | undefined;

/** The API document as JSON. */
export const documentJson = (): { readonly text: string; readonly placeholders: typeof PLACEHOLDERS } => {
  text ??= JSON.stringify(makeDocument());
  return { text, placeholders: PLACEHOLDERS };
};

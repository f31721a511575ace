import { makeDocument } from '#infra/openapi/document.ts';
import { CONTACT_PLACEHOLDER, PLACEHOLDERS, type Placeholders } from '#infra/openapi/server-placeholder.ts';

/* Evaluated when the functions are built: the bundle reads the value from a file, and holds nothing that makes it (build-plugin.ts). */

let text: string | undefined;

/** The API document as JSON. */
export const documentJson = (): { readonly text: string; readonly placeholders: Placeholders } => {
  text ??= JSON.stringify(makeDocument());
  // The whole entry of `info`, which a stage with an address has more fields in.
  return { text, placeholders: { ...PLACEHOLDERS, contact: JSON.stringify({ name: CONTACT_PLACEHOLDER }) } };
};

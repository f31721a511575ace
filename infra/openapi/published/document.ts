import { makeDocument } from '#infra/openapi/document.ts';
import { CONTACT_PLACEHOLDER, PLACEHOLDERS, type Placeholders } from '#infra/openapi/server-placeholder.ts';

/* The build runs this module, and writes the result into a file. The bundle has only the code that reads this file (build-plugin.ts). */

let text: string | undefined;

/** Makes the API document as JSON, once. */
export const documentJson = (): { readonly text: string; readonly placeholders: Placeholders } => {
  text ??= JSON.stringify(makeDocument());
  // The placeholder is the whole contact object: a stage may add an e-mail address and a URL to it.
  return { text, placeholders: { ...PLACEHOLDERS, contact: JSON.stringify({ name: CONTACT_PLACEHOLDER }) } };
};

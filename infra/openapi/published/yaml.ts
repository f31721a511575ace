import { stringify } from 'yaml';
import { makeDocument } from '#infra/openapi/document.ts';
import { CONTACT_PLACEHOLDER, PLACEHOLDERS, type Placeholders } from '#infra/openapi/server-placeholder.ts';

/* The build runs this module, and writes the result into a file. The bundle has only the code that reads this file (build-plugin.ts). */

let text: string | undefined;

/** Makes the API document as YAML, once. It has no anchors, because some tools do not follow them. */
export const documentYaml = (): { readonly text: string; readonly placeholders: Placeholders } => {
  text ??= stringify(makeDocument(), { aliasDuplicateObjects: false, lineWidth: 0 });
  // The placeholder is the whole contact object: a stage may add an e-mail address and a URL to it.
  return { text, placeholders: { ...PLACEHOLDERS, contact: `\n    name: ${CONTACT_PLACEHOLDER}` } };
};

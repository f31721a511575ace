import { stringify } from 'yaml';
import { makeDocument } from '#infra/openapi/document.ts';
import { CONTACT_PLACEHOLDER, PLACEHOLDERS, type Placeholders } from '#infra/openapi/server-placeholder.ts';

/* Evaluated when the functions are built: the bundle reads the value from a file, and holds nothing that makes it (build-plugin.ts). */

let text: string | undefined;

/** The API document as YAML, without anchors: some tools do not follow them. */
export const documentYaml = (): { readonly text: string; readonly placeholders: Placeholders } => {
  text ??= stringify(makeDocument(), { aliasDuplicateObjects: false, lineWidth: 0 });
  // The whole entry of `info`, which a stage with an address has more fields in.
  return { text, placeholders: { ...PLACEHOLDERS, contact: `\n    name: ${CONTACT_PLACEHOLDER}` } };
};

import { makePostmanCollection } from '#infra/openapi/postman/collection.ts';
import { PLACEHOLDERS, type Placeholders } from '#infra/openapi/server-placeholder.ts';

/* Evaluated when the functions are built: the bundle reads the value from a file, and holds nothing that makes it (build-plugin.ts). */

let text: string | undefined;

/** The collection for Postman as JSON. */
export const postmanCollection = (): { readonly text: string; readonly placeholders: Placeholders } => {
  text ??= JSON.stringify(makePostmanCollection());
  return { text, placeholders: PLACEHOLDERS };
};

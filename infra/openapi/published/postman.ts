import { makePostmanCollection } from '#infra/openapi/postman/collection.ts';
import { PLACEHOLDERS, type Placeholders } from '#infra/openapi/server-placeholder.ts';

/* The build runs this module, and writes the result into a file. The bundle has only the code that reads this file (build-plugin.ts). */

let text: string | undefined;

/** Makes the Postman collection as JSON, once. */
export const postmanCollection = (): { readonly text: string; readonly placeholders: Placeholders } => {
  text ??= JSON.stringify(makePostmanCollection());
  return { text, placeholders: PLACEHOLDERS };
};

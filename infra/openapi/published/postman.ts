import { makePostmanCollection } from '#infra/openapi/postman/collection.ts';
import { PLACEHOLDERS, type Placeholders } from '#infra/openapi/server-placeholder.ts';

/* The build evaluates this module: the bundle only reads the result from a file (build-plugin.ts). */

let text: string | undefined;

/** Makes the Postman collection as JSON, once. */
export const postmanCollection = (): { readonly text: string; readonly placeholders: Placeholders } => {
  text ??= JSON.stringify(makePostmanCollection());
  return { text, placeholders: PLACEHOLDERS };
};

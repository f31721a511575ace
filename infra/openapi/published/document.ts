import { makeDocument } from '#infra/openapi/document.ts';
import { SERVER_PLACEHOLDER } from '#infra/openapi/server-placeholder.ts';

/* Evaluated when the functions are built: the bundle holds the values, and nothing that makes them (build-plugin.ts). */

export { SERVER_PLACEHOLDER };

let text: string | undefined;

/** The API document as JSON. */
export const documentText = (): string => {
  text ??= JSON.stringify(makeDocument());
  return text;
};

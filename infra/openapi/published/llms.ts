import { makeLlmsText } from '#infra/openapi/llms-text.ts';
import { PLACEHOLDERS, type Placeholders } from '#infra/openapi/server-placeholder.ts';

/* The build runs this module, and writes the result into a file. The bundle has only the code that reads this file (build-plugin.ts). */

let text: string | undefined;

/** Makes the text of `/llms.txt`, once. */
export const llmsText = (): { readonly text: string; readonly placeholders: Placeholders } => {
  text ??= makeLlmsText();
  return { text, placeholders: PLACEHOLDERS };
};

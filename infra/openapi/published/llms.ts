import { makeLlmsText } from '#infra/openapi/llms-text.ts';
import { PLACEHOLDERS, type Placeholders } from '#infra/openapi/server-placeholder.ts';

/* Evaluated when the functions are built: the bundle reads the value from a file, and holds nothing that makes it (build-plugin.ts). */

let text: string | undefined;

/** What `/llms.txt` holds. */
export const llmsText = (): { readonly text: string; readonly placeholders: Placeholders } => {
  text ??= makeLlmsText();
  return { text, placeholders: PLACEHOLDERS };
};

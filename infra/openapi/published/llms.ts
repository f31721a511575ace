import { makeLlmsText } from '#infra/openapi/llms-text.ts';
import { SERVER_PLACEHOLDER } from '#infra/openapi/server-placeholder.ts';

/* Evaluated when the functions are built: the bundle reads the value from a file, and holds nothing that makes it (build-plugin.ts). */

let text: string | undefined;

/** What `/llms.txt` holds. */
export const llmsText = (): { readonly text: string; readonly placeholder: string } => {
  text ??= makeLlmsText();
  return { text, placeholder: SERVER_PLACEHOLDER };
};

/** Parses stored metadata into its JSON object. The cast is safe, because the text was made from a parsed object (metadata.ts). */
export const metadataView = (text: string | null): Record<string, unknown> | null =>
  text === null ? null : (JSON.parse(text) as Record<string, unknown>);

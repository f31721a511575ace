/** The JSON object of stored metadata. The cast: the text was made of a parsed object (metadata.ts). */
export const metadataView = (text: string | null): Record<string, unknown> | null =>
  text === null ? null : (JSON.parse(text) as Record<string, unknown>);

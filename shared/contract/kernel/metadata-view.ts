/** The JSON object of stored metadata. */
export const metadataView = (text: string | null): Record<string, unknown> | null =>
  text === null ? null : (JSON.parse(text) as Record<string, unknown>);

/** Reads a form field's text without the spaces around it; undefined if it is empty. */
export const readField = (fields: FormData, name: string): string | undefined =>
  String(fields.get(name) ?? '').trim() || undefined;

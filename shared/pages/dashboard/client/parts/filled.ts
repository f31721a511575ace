/** The text of a field of a form, without the spaces around it; undefined where it is empty. */
export const readField = (fields: FormData, name: string): string | undefined =>
  String(fields.get(name) ?? '').trim() || undefined;

/**
 * HTML that is safe to show. The template tag `html` makes it, and escapes every text. Only our own style and script are put into it without
 * escaping.
 */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template. Texts and numbers are escaped; `false`, `null` and `undefined` render nothing. */
type Part = string | number | Html | readonly Html[] | false | null | undefined;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for the content of an element or for a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

const renderPart = (part: Part): string => {
  if (part === false || part === null || part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return escapeHtml(String(part));
};

/** Template tag that makes HTML. It escapes every value that is not HTML itself, for content and for quoted attributes. */
export const html = (pieces: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(pieces.map((piece, i) => piece + renderPart(parts[i])).join(''));

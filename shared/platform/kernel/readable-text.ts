/* The rules of texts that people read, for requests, and for input of operators and members. */

const HARMFUL = /[\p{Cc}\p{Cs}]/u;
/** Code points that Unicode reserves for programs, and never makes characters of (Unicode 16 section 23.7). */
const NONCHARACTER = /\p{Noncharacter_Code_Point}/u;
/** Line and paragraph separators, and the overrides, embeddings and isolates of Unicode's bidirectional algorithm (UAX 9 section 2). */
const MISLEADING = /[\u2028-\u202e\u2066-\u2069]/;
/** A visible letter, digit or sign. Hangul fillers count as letters, and the empty Braille cell as a sign, so both are excluded. */
const VISIBLE = /(?![\p{Default_Ignorable_Code_Point}\u2800\u{1d159}])[\p{L}\p{N}\p{P}\p{S}]/u;

/** Checks whether a text has a visible character. */
export const hasVisible = (text: string): boolean => VISIBLE.test(text);

/** Says why a text cannot be stored and shown; undefined if it can. Its length is checked elsewhere. */
export const textProblem = (text: string): string | undefined => {
  if (text.trim() === '' || HARMFUL.test(text)) return 'must not be blank and must not hold control characters.';
  if (NONCHARACTER.test(text)) return 'must not hold code points that are no characters.';
  return hasVisible(text) ? undefined : 'must hold at least one visible character.';
};

/**
 * Says why a merchant's text cannot be stored and shown; undefined if it can. In addition to the rules of `textProblem`, it may not reorder
 * or hide the text beside it.
 */
export const readableTextProblem = (text: string): string | undefined =>
  textProblem(text) ??
  (MISLEADING.test(text)
    ? 'must not hold line separators or characters that change the direction of text.'
    : undefined);

/* The rules of a text that people read, each in one place: for what a request carries, and for what operators and members write. */

const HARMFUL = /[\p{Cc}\p{Cs}]/u;
/** Code points that Unicode keeps for a program's own use and never makes characters of (Unicode 16 section 23.7). */
const NONCHARACTER = /\p{Noncharacter_Code_Point}/u;
/** Line and paragraph separators, and the overrides, embeddings and isolates of Unicode's bidirectional algorithm (UAX 9 section 2). */
const MISLEADING = /[\u2028-\u202e\u2066-\u2069]/;
/** A letter, digit or sign that leaves a mark on paper. Fillers of Hangul are letters, and the empty Braille cell is a sign. */
const VISIBLE = /(?![\p{Default_Ignorable_Code_Point}\u2800\u{1d159}])[\p{L}\p{N}\p{P}\p{S}]/u;

/** Whether a text has a character that readers see. */
export const hasVisible = (text: string): boolean => VISIBLE.test(text);

/** Says what keeps a text of anybody's making from being kept and shown; undefined where nothing does. Its length is its field's matter. */
export const textProblem = (text: string): string | undefined => {
  if (text.trim() === '' || HARMFUL.test(text)) return 'must not be blank and must not hold control characters.';
  if (NONCHARACTER.test(text)) return 'must not hold code points that are no characters.';
  return hasVisible(text) ? undefined : 'must hold at least one visible character.';
};

/** The same for a text of a merchant's: besides, nothing in it reorders or hides what is beside it. */
export const readableTextProblem = (text: string): string | undefined =>
  textProblem(text) ??
  (MISLEADING.test(text)
    ? 'must not hold line separators or characters that change the direction of text.'
    : undefined);

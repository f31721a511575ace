/* Extracts a value from a JSON text byte for byte, to check a signature over it. The result for invalid JSON is unspecified. */

const SPACES = /\s*/y;
const SCALAR = /[^\s,}\]]*/y;
/** A string to its end, with its escapes. */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"?/sy;
/** Up to what opens or closes something. */
const PLAIN = /[^"{}[\]]*/y;
const BRACKETS = '{[';
/** In levels. Serialising JSON again takes time that grows with the square of its depth; Korapay's notifications have four levels. */
const MAX_DEPTH = 32;

/** Where the match of a pattern at a position ends; the position itself when it does not match. */
const makeEndFinder =
  (pattern: RegExp) =>
  (text: string, at: number): number => {
    pattern.lastIndex = at;
    return pattern.test(text) ? pattern.lastIndex : at;
  };
const afterSpace = makeEndFinder(SPACES);
const afterPlain = makeEndFinder(PLAIN);
const endOfString = makeEndFinder(STRING);
const endOfScalar = makeEndFinder(SCALAR);

const endOfNested = (text: string, at: number): number => {
  let position = at;
  let depth = 0;
  do {
    const char = text.charAt(position);
    if (char === '"') position = endOfString(text, position);
    else {
      depth += BRACKETS.includes(char) ? 1 : -1;
      if (depth > MAX_DEPTH) throw new RangeError('The JSON is nested too deeply.');
      position += 1;
    }
    if (depth > 0) position = afterPlain(text, position);
  } while (depth > 0 && position < text.length);
  return position;
};

const endOfValue = (text: string, at: number): number => {
  const char = text.charAt(at);
  if (char === '"') return endOfString(text, at);
  return BRACKETS.includes(char) ? endOfNested(text, at) : endOfScalar(text, at);
};

/** The top-level members of a JSON object: each name, and its value as it was written. Empty when the text is not an object. */
const parseMembers = (text: string): { readonly name: unknown; readonly written: string }[] => {
  const members: { readonly name: unknown; readonly written: string }[] = [];
  const start = afterSpace(text, 0);
  let position = afterSpace(text, start + 1);
  while (text[start] === '{' && text[position] === '"') {
    const nameEnd = endOfString(text, position);
    const valueAt = afterSpace(text, afterSpace(text, nameEnd) + 1);
    const valueEnd = endOfValue(text, valueAt);
    members.push({ name: JSON.parse(text.slice(position, nameEnd)), written: text.slice(valueAt, valueEnd) });
    position = afterSpace(text, afterSpace(text, valueEnd) + 1);
  }
  return members;
};

/**
 * The value of a top-level member exactly as it was written in a valid JSON text; undefined unless there is exactly one of that name.
 * @throws RangeError for what is nested too deeply.
 */
export const extractMember = (text: string, name: string): string | undefined => {
  const [first, ...others] = parseMembers(text).filter((member) => member.name === name);
  return others.length === 0 ? first?.written : undefined;
};

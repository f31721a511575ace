/* Extracts a value from a JSON text unchanged, to check a signature over it. The result for invalid JSON is unspecified. */

const SPACES = /\s*/y;
const SCALAR = /[^\s,}\]]*/y;
/** Matches a string with its escapes, to its end. */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"?/sy;
/** Matches everything before the next quote, brace or bracket. */
const PLAIN = /[^"{}[\]]*/y;
const BRACKETS = '{[';
/** Maximum nesting. The time to serialise JSON again grows with the square of its depth. Korapay's notifications have four levels. */
const MAX_DEPTH = 32;

/** Creates a function that finds the end of a pattern's match at a position. It returns the position itself if nothing matches. */
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

/** Lists the top-level members of a JSON object: the name of each, and its value as written. Empty if the text is no object. */
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
 * Extracts the value of a top-level member exactly as written in a valid JSON text; undefined unless exactly one member has that name.
 * @throws RangeError if the text is nested too deeply.
 */
export const extractMember = (text: string, name: string): string | undefined => {
  const [first, ...others] = parseMembers(text).filter((member) => member.name === name);
  return others.length === 0 ? first?.written : undefined;
};

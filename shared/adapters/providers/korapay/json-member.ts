/* Extracts a value from a JSON text byte for byte, to check a signature over it. Every text must be valid JSON: callers parse it first. */

const SPACE = /\s/;
const OPENING = '{[';
const CLOSING = '}]';

const afterSpace = (text: string, at: number): number => {
  let position = at;
  while (SPACE.test(text.charAt(position))) position += 1;
  return position;
};

const endOfString = (text: string, at: number): number => {
  let position = at + 1;
  while (position < text.length && text[position] !== '"') position += text[position] === '\\' ? 2 : 1;
  return position + 1;
};

const endOfScalar = (text: string, at: number): number => {
  let position = at;
  while (position < text.length && !/[\s,}\]]/.test(text.charAt(position))) position += 1;
  return position;
};

const endOfNested = (text: string, at: number): number => {
  let position = at;
  let depth = 0;
  do {
    const sign = text.charAt(position);
    if (OPENING.includes(sign)) depth += 1;
    if (CLOSING.includes(sign)) depth -= 1;
    position = sign === '"' ? endOfString(text, position) : position + 1;
  } while (depth > 0 && position < text.length);
  return position;
};

const endOfValue = (text: string, at: number): number => {
  const sign = text.charAt(at);
  if (sign === '"') return endOfString(text, at);
  return OPENING.includes(sign) ? endOfNested(text, at) : endOfScalar(text, at);
};

/** The top-level members of a JSON object: each name, and its value as it was written. Empty when the text is not an object. */
const membersOf = (text: string): { readonly name: unknown; readonly written: string }[] => {
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

/** The value of a top-level member exactly as it was written in a valid JSON text; undefined unless there is exactly one of that name. */
export const writtenMember = (text: string, name: string): string | undefined => {
  const [first, ...others] = membersOf(text).filter((member) => member.name === name);
  return others.length === 0 ? first?.written : undefined;
};

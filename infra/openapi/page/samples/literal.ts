/* Values of examples as the literals of a language. */

/** How a language writes what its literals are made of. */
export interface Syntax {
  readonly text: (value: string) => string;
  readonly name: (value: string) => string;
  /** Stands between a name and its value. */
  readonly is: string;
  /** Its words for `true`, `false` and `null`, where they differ from JSON's. */
  readonly others: Readonly<Record<string, string>>;
  readonly object: readonly [open: string, close: string];
  readonly list: readonly [open: string, close: string];
  /** Opens and closes an object without fields. */
  readonly empty: string;
  /** Whether a comma follows the last part on a line of its own. */
  readonly endsWithComma: boolean;
  /** Whether the values of fields on neighbouring lines begin in the same column. */
  readonly alignsValues: boolean;
}

export const doubleQuoted = (value: string): string => JSON.stringify(value);

const JSON_SYNTAX: Syntax = {
  text: doubleQuoted,
  name: doubleQuoted,
  is: ':',
  others: {},
  object: ['{', '}'],
  list: ['[', ']'],
  empty: '{}',
  endsWithComma: false,
  alignsValues: false,
};

/** Words that differ from JSON's in some. */
export const makeSyntax = (own: Partial<Syntax>): Syntax => ({ ...JSON_SYNTAX, ...own });

export const INDENT = '  ';
/** Lists of at most so many characters within something stay on their line. */
const SHORT = 48;

type Part = readonly [start: string, value: string];

/** Parts on lines of their own, each value in the column of its neighbours that take one line. */
const aligned = (parts: readonly Part[]): readonly Part[] => {
  const isOneLine = (at: number): boolean => parts[at] !== undefined && !parts[at][1].includes('\n');
  return parts.map(([start, value], at) => {
    if (!isOneLine(at)) return [start, value];
    let [from, to] = [at, at];
    while (isOneLine(from - 1)) from -= 1;
    while (isOneLine(to + 1)) to += 1;
    const width = Math.max(...parts.slice(from, to + 1).map(([name]) => name.length));
    return [start.padEnd(width), value];
  });
};

/** A value written in a language, its further lines indented by `indent`. */
export const literal = (value: unknown, syntax: Syntax, step = INDENT, indent = ''): string => {
  if (typeof value === 'string') return syntax.text(value);
  if (typeof value !== 'object' || value === null) return syntax.others[String(value)] ?? String(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? syntax.list : syntax.object;
  const deeper = indent + step;
  const parts = Object.entries(value).map(([name, field]): Part => {
    const written = literal(field, syntax, step, deeper);
    return isList ? ['', written] : [`${syntax.name(name)}${syntax.is} `, written];
  });
  if (parts.length === 0) return isList ? open + close : syntax.empty;
  const line = open + parts.map(([, written]) => written).join(', ') + close;
  if (isList && indent !== '' && !line.includes('\n') && line.length <= SHORT) return line;
  const lines = (syntax.alignsValues ? aligned(parts) : parts).map((part) => deeper + part.join(''));
  return `${open}\n${lines.join(',\n')}${syntax.endsWithComma ? ',' : ''}\n${indent}${close}`;
};

/** A value as JSON, short lists on one line. */
export const formatJson = (value: unknown): string => literal(value, JSON_SYNTAX);

/** Text whose further lines are indented. */
export const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);

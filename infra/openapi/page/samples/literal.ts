/* Writes the values of examples as literals of a language. */

/** The syntax of a language's literals. */
export interface Syntax {
  readonly writeText: (value: string) => string;
  readonly writeName: (value: string) => string;
  /** The sign between a name and its value. */
  readonly separator: string;
  /** The language's words for `true`, `false` and `null`, if they differ from JSON's. */
  readonly words: Readonly<Record<string, string>>;
  readonly object: readonly [open: string, close: string];
  readonly list: readonly [open: string, close: string];
  /** An object without fields. */
  readonly empty: string;
  /** Whether a comma follows the last entry. */
  readonly endsWithComma: boolean;
  /** Whether the values of neighbouring lines begin in the same column. */
  readonly alignsValues: boolean;
}

/** Writes a text in double quotes. */
export const quoteDouble = (value: string): string => JSON.stringify(value);

const JSON_SYNTAX: Syntax = {
  writeText: quoteDouble,
  writeName: quoteDouble,
  separator: ':',
  words: {},
  object: ['{', '}'],
  list: ['[', ']'],
  empty: '{}',
  endsWithComma: false,
  alignsValues: false,
};

/** Makes a syntax from its differences to JSON. */
export const makeSyntax = (differences: Partial<Syntax>): Syntax => ({ ...JSON_SYNTAX, ...differences });

/** The indentation of JSON and JavaScript. */
export const INDENT = '  ';
/** Characters. An inner list of at most this length stays on one line. */
const SHORT_LIST = 48;

type Part = readonly [start: string, value: string];

/** Aligns the values of neighbouring parts that take one line each. */
const alignValues = (parts: readonly Part[]): readonly Part[] => {
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

/** Writes a value as a literal. The lines after the first are indented by `indent`. */
export const writeLiteral = (value: unknown, syntax: Syntax, step = INDENT, indent = ''): string => {
  if (typeof value === 'string') return syntax.writeText(value);
  if (typeof value !== 'object' || value === null) return syntax.words[String(value)] ?? String(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? syntax.list : syntax.object;
  const deeper = indent + step;
  const parts = Object.entries(value).map(([name, field]): Part => {
    const text = writeLiteral(field, syntax, step, deeper);
    return isList ? ['', text] : [`${syntax.writeName(name)}${syntax.separator} `, text];
  });
  if (parts.length === 0) return isList ? open + close : syntax.empty;
  const line = open + parts.map(([, text]) => text).join(', ') + close;
  if (isList && indent !== '' && !line.includes('\n') && line.length <= SHORT_LIST) return line;
  const lines = (syntax.alignsValues ? alignValues(parts) : parts).map((part) => deeper + part.join(''));
  return `${open}\n${lines.join(',\n')}${syntax.endsWithComma ? ',' : ''}\n${indent}${close}`;
};

/** Writes a value as JSON, with short lists on one line. */
export const formatJson = (value: unknown): string => writeLiteral(value, JSON_SYNTAX);

/** Indents the lines of a text after the first. */
export const indentLines = (text: string, indent: string): string => text.replaceAll('\n', `\n${indent}`);

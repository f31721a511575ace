/* Finds the values of a JSON text that JSON.parse loses silently. An answer that is made of the parsed value would differ from the input. */

/** The strings, numbers and punctuation of a JSON text. Words such as `true` have nothing to lose. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|[{}[\],]/g;
const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Removes the zeros at the end. A loop does it, because `/0+$/` takes quadratic time with many zeros within. */
const withoutLastZeros = (digits: string): string => {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
};

/** Writes a decimal number's value in one spelling: 1.10 and 11e-1 become the same. Zero has no sign. */
const decimalValue = (source: string): string => {
  const [, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(source) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const short = withoutLastZeros(digits);
  return short === '' ? '0' : `${short}e${Number(exponent) - fraction.length + digits.length - short.length}`;
};

/** Checks whether a JSON number keeps its value in a 64-bit float. */
export const isHeldExactly = (source: string): boolean => {
  const float = Number(source);
  return Number.isFinite(float) && decimalValue(String(float)) === decimalValue(source);
};

/** The most losses that are listed, so that no text causes long work or a long answer. */
const MAX_LOSSES = 10;

/** A loss in a JSON text. `path`: names of members and places in lists, joined by dots. */
export interface JsonLoss {
  readonly kind: 'number' | 'repeated_member';
  readonly path: string;
}

/** An object or a list that is open at the present place of the text, and the member or place that is being read. */
interface Level {
  readonly names: Set<string> | undefined;
  at: string | number;
  isNameNext: boolean;
}

const openLevel = (token: string): Level =>
  token === '{' ? { names: new Set(), at: '', isNameNext: true } : { names: undefined, at: 0, isNameNext: false };

const moveOn = (level: Level | undefined): void => {
  if (level?.names) level.isNameNext = true;
  else if (level && typeof level.at === 'number') level.at += 1;
};

/**
 * Lists the first ten losses within one member of a JSON object: numbers that a 64-bit float does not hold, and repeated members, also if
 * `member` itself is repeated. `json` must be valid JSON. It does not recurse, because there may be tens of thousands of levels.
 */
export const lossesIn = (json: string, member: string): readonly JsonLoss[] => {
  const losses: JsonLoss[] = [];
  const levels: Level[] = [];
  const note = (kind: JsonLoss['kind']): void => {
    if (levels[0]?.at === member) losses.push({ kind, path: levels.map(({ at }) => at).join('.') });
  };
  for (const [token] of json.matchAll(TOKEN)) {
    if (losses.length === MAX_LOSSES) break;
    const level = levels.at(-1);
    if (token === '{' || token === '[') levels.push(openLevel(token));
    else if (token === '}' || token === ']') levels.pop();
    else if (token === ',') moveOn(level);
    else if (level?.isNameNext) {
      level.at = JSON.parse(token) as string;
      level.isNameNext = false;
      if (level.names?.has(level.at)) note('repeated_member');
      level.names?.add(level.at);
    } else if (!token.startsWith('"') && !isHeldExactly(token)) note('number');
  }
  return losses;
};

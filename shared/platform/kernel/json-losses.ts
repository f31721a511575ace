/* What JSON.parse loses without a word, found in the text: an answer made of what it gives would not be what was sent. */

/** Strings, numbers and punctuation of a text that is JSON; words carry nothing to lose. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|[{}[\],]/g;
const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Without the zeros at its end: by hand, as `/0+$/` looks at each zero within once more for every other. */
const withoutLastZeros = (digits: string): string => {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
};

/** The value of a decimal number in one spelling: 1.10 and 11e-1 are the same. Zero has no sign. */
const decimalValue = (source: string): string => {
  const [, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(source) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const short = withoutLastZeros(digits);
  return short === '' ? '0' : `${short}e${Number(exponent) - fraction.length + digits.length - short.length}`;
};

/** Whether a number of JSON comes back with the same value when a 64-bit float has held it. */
export const isHeldExactly = (source: string): boolean => {
  const held = Number(source);
  return Number.isFinite(held) && decimalValue(String(held)) === decimalValue(source);
};

/** So that no text makes for long work or a long answer: each loss is told with its path. */
const MOST_LOSSES = 10;

/** Something of a JSON text that is lost, and where: names and places of lists, joined by dots. */
export interface JsonLoss {
  readonly kind: 'number' | 'repeated_member';
  readonly path: string;
}

/** An object or a list that is open at this place of the text, and the member or place that is being read. */
interface Level {
  readonly names: Set<string> | undefined;
  at: string | number;
  isNameNext: boolean;
}

const opened = (token: string): Level =>
  token === '{' ? { names: new Set(), at: '', isNameNext: true } : { names: undefined, at: 0, isNameNext: false };

const pass = (level: Level | undefined): void => {
  if (level?.names) level.isNameNext = true;
  else if (level && typeof level.at === 'number') level.at += 1;
};

/**
 * The first ten things that are lost of one member of a JSON object: numbers that a 64-bit float does not hold, and all but the last of members with one name,
 * the member itself among them. `json` is a text that JSON.parse takes. It keeps its place in a list, as levels may be tens of thousands.
 */
export const lossesIn = (json: string, member: string): readonly JsonLoss[] => {
  const losses: JsonLoss[] = [];
  const levels: Level[] = [];
  const note = (kind: JsonLoss['kind']): void => {
    if (levels[0]?.at === member) losses.push({ kind, path: levels.map(({ at }) => at).join('.') });
  };
  for (const [token] of json.matchAll(TOKEN)) {
    if (losses.length === MOST_LOSSES) break;
    const level = levels.at(-1);
    if (token === '{' || token === '[') levels.push(opened(token));
    else if (token === '}' || token === ']') levels.pop();
    else if (token === ',') pass(level);
    else if (level?.isNameNext) {
      level.at = JSON.parse(token) as string;
      level.isNameNext = false;
      if (level.names?.has(level.at)) note('repeated_member');
      level.names?.add(level.at);
    } else if (!token.startsWith('"') && !isHeldExactly(token)) note('number');
  }
  return losses;
};

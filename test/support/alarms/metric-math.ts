/** The value of one period; undefined if there was none. */
export type Value = number | undefined;

const TOKEN = /\s*(INSIGHT_RULE_METRIC\([^)]*\)|[A-Za-z_]\w*|\d+(?:\.\d+)?|>=|[-+*/(),>])/y;

const tokenize = (expression: string): string[] => {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(expression); match; match = TOKEN.exec(expression)) {
    tokens.push(match[1] ?? '');
    if (TOKEN.lastIndex === expression.length) return tokens;
  }
  throw new Error(`This test cannot read the expression ${expression}.`);
};

type Operation = (left: number, right: number) => number;
/** The operations by precedence, the lowest first. */
const OPERATIONS: readonly Readonly<Record<string, Operation>>[] = [
  { '>': (left, right) => Number(left > right), '>=': (left, right) => Number(left >= right) },
  { '+': (left, right) => left + right },
  { '*': (left, right) => left * right, '/': (left, right) => left / right },
];

const FUNCTIONS: Readonly<Record<string, (...values: Value[]) => Value>> = {
  /** Makes a value for a period without a value. No other function does that. */
  FILL: (value, instead) => value ?? instead,
  IF: (condition, then, otherwise) => (condition === undefined ? undefined : condition ? then : otherwise),
};

/**
 * Evaluates a metric-math expression for one period. It supports what our alarms use: numbers, names, `+ * / > >=`, FILL, IF and
 * INSIGHT_RULE_METRIC. As in CloudWatch, an operation on a missing value has no value.
 * @throws Error for anything else.
 */
export const evaluate = (expression: string, findValue: (name: string) => Value): Value => {
  const tokens = tokenize(expression);
  let at = 0;
  const take = (expected?: string): string => {
    const token = tokens[at] ?? '';
    if (expected !== undefined && token !== expected) throw new Error(`${expression} lacks "${expected}".`);
    at += 1;
    return token;
  };
  const parseArguments = (): Value[] => {
    const values = [parseLevel(0)];
    while (tokens[at] === ',') {
      take(',');
      values.push(parseLevel(0));
    }
    take(')');
    return values;
  };
  const parseOperand = (): Value => {
    const token = take();
    if (token === '(') return parseArguments()[0];
    if (/^\d/.test(token)) return Number(token);
    const fn = FUNCTIONS[token];
    if (!fn) return findValue(token);
    take('(');
    return fn(...parseArguments());
  };
  const parseLevel = (depth: number): Value => {
    const operations = OPERATIONS[depth];
    if (!operations) return parseOperand();
    let value = parseLevel(depth + 1);
    for (let operation = operations[tokens[at] ?? '']; operation; operation = operations[tokens[at] ?? '']) {
      take();
      const right = parseLevel(depth + 1);
      value = value === undefined || right === undefined ? undefined : operation(value, right);
    }
    return value;
  };
  const value = parseLevel(0);
  if (at < tokens.length) throw new Error(`This test cannot read the expression ${expression}.`);
  return value;
};

/** Rates a source: the provider's own specification (A), a copy of its page (B), an integrator (C), or not confirmed (NC). */
export type Mark = 'A' | 'B' | 'C' | 'NC';

/** A documented answer, list row or event of a provider, with our own values. */
export interface Fixture {
  /** The key of the source, such as `PS-3`: providers.md lists the sources. */
  readonly source: string;
  readonly mark: Mark;
  readonly body: unknown;
  /** Paths of fields that may also be absent or null, such as `data.paid_at`. */
  readonly optional?: readonly string[];
}

const describeType = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => describeType(value) === 'object';

const compare = (expected: unknown, actual: unknown, path: string, optional: ReadonlySet<string>): string[] => {
  if (optional.has(path) && (actual === null || actual === undefined)) return [];
  const [kind, actualKind] = [describeType(expected), describeType(actual)];
  if (actual === undefined) return [`${path} is missing.`];
  if (kind !== actualKind) return expected === null ? [] : [`${path} is ${actualKind}, not ${kind}.`];
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length === 0) return [];
    return actual.flatMap((entry) => compare(expected[0], entry, `${path}[]`, optional));
  }
  if (!isObject(expected) || !isObject(actual)) return [];
  const inside = (name: string) => (path === '' ? name : `${path}.${name}`);
  const known = Object.keys(expected).flatMap((name) => compare(expected[name], actual[name], inside(name), optional));
  const added = Object.keys(actual).filter((name) => !Object.hasOwn(expected, name));
  return [...known, ...added.map((name) => `${inside(name)} is new.`)];
};

/**
 * Lists the fields of an answer that differ in shape from a fixture: missing, of another type, or new. Values are neither compared nor repeated, so
 * that the result has no personal data. A null in the fixture stands for a value of any type, an empty list for a list of anything.
 */
export const shapeDifferences = ({ body, optional = [] }: Fixture, answer: unknown): readonly string[] => [
  ...new Set(compare(body, answer, '', new Set(optional))),
];

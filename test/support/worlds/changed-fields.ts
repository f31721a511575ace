import type { Fixture } from '#shared/providers/common/simulator/fixture.ts';

/* Changes single fields of an answer. A comparison with its fixture must name each change. */

/** A change of a field, by its path as differences name it (`data.bank.name`, `data[].id`). */
export interface Change {
  readonly path: string;
  readonly kind: 'remove' | 'change' | 'add';
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a value of a type that none of `values` has. */
const makeOther = (...values: readonly unknown[]): unknown =>
  [1, 'text', true].find((candidate) => values.every((value) => typeof value !== typeof candidate));

/** Lists the changes of an answer that differ from its fixture. Null in a fixture accepts any type. */
export const listChanges = ({ body, optional = [] }: Fixture, answer: unknown): readonly Change[] => {
  const inside = (expected: unknown, actual: unknown, path: string): readonly Change[] => {
    if (Array.isArray(expected) && Array.isArray(actual)) {
      return actual.length > 0 && expected.length > 0 ? inside(expected[0], actual[0], `${path}[]`) : [];
    }
    if (!isObject(expected) || !isObject(actual)) return [];
    const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
    const fields = Object.keys(expected)
      .filter((name) => Object.hasOwn(actual, name))
      .flatMap((name): readonly Change[] => [
        ...(optional.includes(at(name)) ? [] : [{ path: at(name), kind: 'remove' as const }]),
        ...(expected[name] === null ? [] : [{ path: at(name), kind: 'change' as const }]),
        ...inside(expected[name], actual[name], at(name)),
      ]);
    return [{ path: at('added_by_the_test'), kind: 'add' }, ...fields];
  };
  return inside(body, answer, '');
};

/** Applies a change to an answer, in every entry of a list on its path. */
export const applyChange = (answer: unknown, { path, kind }: Change): unknown => {
  const inside = (value: unknown, [name = '', ...rest]: readonly string[]): unknown => {
    if (name === '[]') return Array.isArray(value) ? value.map((entry) => inside(entry, rest)) : value;
    if (!isObject(value)) return value;
    if (rest.length > 0) return { ...value, [name]: inside(value[name], rest) };
    if (kind === 'add') return { ...value, [name]: 'added' };
    const { [name]: before, ...others } = value;
    return kind === 'remove' ? others : { ...others, [name]: makeOther(before, null) };
  };
  return inside(answer, path.replaceAll('[]', '.[]').split('.').filter(Boolean));
};

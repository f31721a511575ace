import type { Expectation, Transition } from '#shared/platform/kernel/transition.ts';

/** The update of an item with its condition, as DynamoDB's calls take it. */
export interface Update {
  readonly UpdateExpression: string;
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues: Record<string, unknown>;
}

/**
 * Builds the DynamoDB expressions of a transition. `indexKeys` sets the item's index keys; null removes the item from that index, because an
 * index key cannot be null. The item must exist.
 */
export const buildUpdate = <T>({ expect, set }: Transition<T>, indexKeys: Record<string, string | null>): Update => {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const name = (field: string): string => {
    names[`#${field}`] = field;
    return `#${field}`;
  };
  const value = (stored: unknown): string => {
    const placeholder = `:v${Object.keys(values).length}`;
    values[placeholder] = stored;
    return placeholder;
  };
  const formatCondition = ([field, expectation]: [string, Expectation]): string => {
    if (Array.isArray(expectation)) return `${name(field)} IN (${expectation.map(value).join(', ')})`;
    if (typeof expectation === 'object' && expectation !== null && 'below' in expectation) {
      const isBelow = `${name(field)} < ${value(expectation.below)}`;
      return expectation.orNull ? `(${name(field)} = ${value(null)} OR ${isBelow})` : isBelow;
    }
    return `${name(field)} = ${value(expectation)}`;
  };

  const conditions = Object.entries(expect as Record<string, Expectation>).map(formatCondition);
  const changes = Object.entries({ ...set, ...indexKeys });
  const removed = changes.filter(([field, to]) => field in indexKeys && to === null);
  const updated = changes.filter(([, to]) => to !== undefined).filter((change) => !removed.includes(change));
  const removal = removed.length === 0 ? '' : ` REMOVE ${removed.map(([field]) => name(field)).join(', ')}`;
  return {
    UpdateExpression: `SET ${updated.map(([field, to]) => `${name(field)} = ${value(to)}`).join(', ')}${removal}`,
    ConditionExpression: ['attribute_exists(pk)', ...conditions].join(' AND '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  };
};

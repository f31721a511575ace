import { TABLE } from '#infra/table.ts';
import {
  GSI1_FAMILIES,
  GSI2_FAMILIES,
  GSI3_FAMILIES,
  TABLE_FAMILIES,
  UPDATED_ATTRIBUTES,
} from '#shared/platform/table/families.ts';

type AttributeValue = Readonly<Record<string, string>>;
type Attributes = Readonly<Record<string, AttributeValue>>;

/** The parts of a DynamoDB request that name its items. */
export interface TableInput {
  readonly Key?: Attributes;
  readonly Item?: Attributes;
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly Attributes[] }>>;
  readonly TransactItems?: readonly Readonly<
    Record<string, { readonly Key?: Attributes; readonly Item?: Attributes }>
  >[];
  readonly IndexName?: string;
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Attributes;
  readonly ReturnValues?: string;
  readonly ReturnValuesOnConditionCheckFailure?: string;
}

const INDEX_FAMILIES: Readonly<Record<string, readonly string[]>> = {
  gsi1: GSI1_FAMILIES,
  gsi2: GSI2_FAMILIES,
  gsi3: GSI3_FAMILIES,
};

/** Caches the compiled patterns, because every call of every test is compared with all of them. */
const compiled = new Map<string, RegExp>();

const compile = (pattern: string): RegExp => {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const expression = new RegExp(`^${parts.join('.*')}$`, 's');
  compiled.set(pattern, expression);
  return expression;
};

/** Tells whether a text matches a pattern by IAM's `StringLike`. The patterns here have no `?`. */
export const isLike = (pattern: string, text: string): boolean =>
  (compiled.get(pattern) ?? compile(pattern)).test(text);

/** Finds the family of a partition key of the table or an index. Returns the first part of the key if the key is in no family. */
export const findFamily = (partitionKey: string, index?: string): string => {
  const families = index === undefined ? TABLE_FAMILIES : (INDEX_FAMILIES[index] ?? []);
  return families.find((family) => isLike(family, partitionKey)) ?? `${partitionKey.split('#')[0]} (no family)`;
};

const findItemFamily = (item: Attributes | undefined): string => findFamily(item?.[TABLE.partitionKey]?.S ?? '');

/** Finds the value of the partition key in a query. */
const findQueriedKey = (partitionKey: string, input: TableInput): string => {
  const { KeyConditionExpression = '', ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } = input;
  for (const [, name = '', value = ''] of KeyConditionExpression.matchAll(/([#\w]+) = (:\w+)/g)) {
    if ((ExpressionAttributeNames[name] ?? name) === partitionKey) return ExpressionAttributeValues[value]?.S ?? '';
  }
  return '';
};

/** Finds the family of the partition that a query reads. */
export const findQueriedFamily = (input: TableInput): string => {
  const index = TABLE.indexes.find(({ name }) => name === input.IndexName);
  return findFamily(findQueriedKey(index?.partitionKey ?? TABLE.partitionKey, input), input.IndexName);
};

/** Lists the families of the items that a request names by key. A scan, for example, names none. */
export const listNamedFamilies = ({ Key, Item, RequestItems = {} }: TableInput): string[] => {
  const batch = Object.values(RequestItems).flatMap(({ Keys }) => Keys);
  return [Key, Item, ...batch].filter((item) => item !== undefined).map(findItemFamily);
};

/** Words of expressions that are not attributes. */
const WORDS = new Set([
  'ADD',
  'SET',
  'REMOVE',
  'DELETE',
  'AND',
  'OR',
  'NOT',
  'attribute_exists',
  'attribute_not_exists',
  'contains',
  'if_not_exists',
]);

/** Lists the attributes that an update names, in its expressions and its key. */
const listAttributes = (input: TableInput): string[] => {
  const { Key = {}, UpdateExpression = '', ConditionExpression = '', ExpressionAttributeNames = {} } = input;
  const words = `${UpdateExpression} ${ConditionExpression}`.match(/(?<![:#\w])#?[a-z]\w*/gi) ?? [];
  const attributes = words.filter((word) => !WORDS.has(word)).map((word) => ExpressionAttributeNames[word] ?? word);
  return [...new Set([...Object.keys(Key), ...attributes])].sort();
};

/** Describes the attributes of an update that no role may allow for its family (families.ts). Empty if there are none. */
export const describeForbidden = (input: TableInput): string => {
  if (input.UpdateExpression === undefined) return '';
  const [family = ''] = listNamedFamilies(input);
  const attributes = (UPDATED_ATTRIBUTES as Readonly<Record<string, readonly string[]>>)[family];
  if (attributes === undefined) return '';
  const allowed: readonly string[] = [TABLE.partitionKey, TABLE.sortKey, ...attributes];
  const forbidden = listAttributes(input).filter((name) => !allowed.includes(name));
  const returned = [input.ReturnValues, input.ReturnValuesOnConditionCheckFailure].filter((option) =>
    option?.startsWith('ALL_'),
  );
  return [...forbidden, ...returned].length === 0 ? '' : ` of ${[...forbidden, ...returned].join(' and ')}`;
};

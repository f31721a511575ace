import { TABLE } from './table.ts';

/* Conditions of the functions' roles, for CDK and for `ops table try`. */

/** Conditions of an IAM statement. */
export type Conditions = Readonly<Record<string, Readonly<Record<string, string | string[]>>>>;

/**
 * Requires that every partition key of a request is in these families. `ForAllValues` also allows a request without keys, so `Null` requires
 * keys (AWS: "Multivalued context keys" of the IAM guide, "Using IAM policy conditions for fine-grained access control" of DynamoDB's).
 */
export const familyCondition = (families: readonly string[]): Conditions => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...families] },
  Null: { 'dynamodb:LeadingKeys': 'false' },
});

/** The values of `ReturnValues` that return no whole item. A whole item would have more than the allowed attributes. */
const ALLOWED_RETURN_VALUES = ['NONE', 'UPDATED_NEW', 'UPDATED_OLD'];

/**
 * Requires that the expressions of a request name only these attributes and the keys. AWS demands that the keys are allowed too, and that the
 * returned values are limited ("Using IAM policy conditions for fine-grained access control").
 */
export const attributeCondition = (attributes: readonly string[]): Conditions => ({
  'ForAllValues:StringEquals': { 'dynamodb:Attributes': [TABLE.partitionKey, TABLE.sortKey, ...attributes] },
  StringEqualsIfExists: { 'dynamodb:ReturnValues': ALLOWED_RETURN_VALUES },
});

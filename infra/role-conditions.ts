import { TABLE } from './table.ts';

/* The conditions of the functions' roles, for CDK and for `ops table try`. */

/** Conditions of an IAM statement. */
export type Conditions = Readonly<Record<string, Readonly<Record<string, string | string[]>>>>;

/**
 * That every partition key of a request is in these families. `ForAllValues` holds for a request without keys too, so they must be
 * there (AWS: "Multivalued context keys" of the IAM guide, "Using IAM policy conditions for fine-grained access control" of DynamoDB's).
 */
export const familyCondition = (families: readonly string[]): Conditions => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...families] },
  Null: { 'dynamodb:LeadingKeys': 'false' },
});

/** An answer with all of an item would show more than the attributes that are allowed. */
const UPDATED_ALONE = ['NONE', 'UPDATED_NEW', 'UPDATED_OLD'];

/**
 * That a request names no attribute of the table but these, in none of its expressions ("Using IAM policy conditions for fine-grained access
 * control": the keys must be among them, and what is returned must be limited as well).
 */
export const attributeCondition = (attributes: readonly string[]): Conditions => ({
  'ForAllValues:StringEquals': { 'dynamodb:Attributes': [TABLE.partitionKey, TABLE.sortKey, ...attributes] },
  StringEqualsIfExists: { 'dynamodb:ReturnValues': UPDATED_ALONE },
});

import { resourceName } from '#infra/constructs/names.ts';
import { attributeCondition, type Conditions, familyCondition } from '#infra/role-conditions.ts';
import { TABLE } from '#infra/table.ts';

/* The CloudFormation stack of a try: a table with the keys of the stage's table, and a role with statements like those of the functions' roles. */

/** The key family that the role may use, for each action. */
export const FAMILIES = {
  PutItem: 'TRYPUT#',
  UpdateItem: 'TRYUPDATE#',
  ConditionCheckItem: 'TRYCHECK#',
  DeleteItem: 'TRYDELETE#',
} as const;
/** A key family that the role may not use. */
export const FOREIGN_FAMILY = 'TRYFOREIGN#';
/** The only attribute that an update may change, like those of counters. */
export const COUNT_ATTRIBUTE = 'tries';

/** The name of the CloudFormation stack of a try. */
export const tryStackName = (stage: string): string => resourceName(stage, 'try');

const buildStatement = (action: keyof typeof FAMILIES) => {
  const updateCondition: Conditions = action === 'UpdateItem' ? attributeCondition([COUNT_ATTRIBUTE]) : {};
  return {
    Effect: 'Allow',
    Action: `dynamodb:${action}`,
    Resource: { 'Fn::GetAtt': ['Table', 'Arn'] },
    Condition: { ...familyCondition([`${FAMILIES[action]}*`]), ...updateCondition },
  };
};

const toKeyElement = (AttributeName: string, KeyType: 'HASH' | 'RANGE') => ({ AttributeName, KeyType });

/** Builds the CloudFormation template. */
export const buildTemplate = (): string =>
  JSON.stringify({
    Description:
      'Payments: tries whether the conditions of roles apply within transactions. It is deleted after the try.',
    Resources: {
      Table: {
        Type: 'AWS::DynamoDB::Table',
        Properties: {
          BillingMode: 'PAY_PER_REQUEST',
          KeySchema: [toKeyElement(TABLE.partitionKey, 'HASH'), toKeyElement(TABLE.sortKey, 'RANGE')],
          AttributeDefinitions: [TABLE.partitionKey, TABLE.sortKey].map((AttributeName) => ({
            AttributeName,
            AttributeType: 'S',
          })),
        },
      },
      Role: {
        Type: 'AWS::IAM::Role',
        Properties: {
          Description: 'Payments: permissions like those of a function, for a try.',
          AssumeRolePolicyDocument: {
            Version: '2012-10-17',
            Statement: [
              {
                Effect: 'Allow',
                Action: 'sts:AssumeRole',
                // Every identity in the account that may assume roles.
                Principal: { AWS: { Ref: 'AWS::AccountId' } },
              },
            ],
          },
          Policies: [
            {
              PolicyName: 'own',
              PolicyDocument: {
                Version: '2012-10-17',
                Statement: (Object.keys(FAMILIES) as (keyof typeof FAMILIES)[]).map(buildStatement),
              },
            },
          ],
        },
      },
    },
    Outputs: {
      TableName: { Value: { Ref: 'Table' } },
      RoleArn: { Value: { 'Fn::GetAtt': ['Role', 'Arn'] } },
    },
  });

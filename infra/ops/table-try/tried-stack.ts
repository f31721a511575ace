import { resourceName } from '#infra/constructs/names.ts';
import { attributeCondition, type Conditions, familyCondition } from '#infra/role-conditions.ts';
import { TABLE } from '#infra/table.ts';

/* A stack for the length of a try: a table of the stage's keys, and a role with the statements that the roles of the functions have. */

/** The family of keys of each action, and one of no action's. */
export const FAMILIES = {
  PutItem: 'TRYPUT#',
  UpdateItem: 'TRYUPDATE#',
  ConditionCheckItem: 'TRYCHECK#',
  DeleteItem: 'TRYDELETE#',
} as const;
export const FOREIGN = 'TRYFOREIGN#';
/** The one attribute that an update may change, as those of counts. */
export const COUNT = 'tries';

/** The stack of a try of a stage. */
export const triedStackName = (stage: string): string => resourceName(stage, 'try');

const statement = (action: keyof typeof FAMILIES) => {
  const more: Conditions = action === 'UpdateItem' ? attributeCondition([COUNT]) : {};
  return {
    Effect: 'Allow',
    Action: `dynamodb:${action}`,
    Resource: { 'Fn::GetAtt': ['Table', 'Arn'] },
    Condition: { ...familyCondition([`${FAMILIES[action]}*`]), ...more },
  };
};

const key = (AttributeName: string, KeyType: 'HASH' | 'RANGE') => ({ AttributeName, KeyType });

/** Its template, as CloudFormation takes it. */
export const triedTemplate = (): string =>
  JSON.stringify({
    Description: 'Payments: whether roles hold within transactions. It is deleted when that is known.',
    Resources: {
      Table: {
        Type: 'AWS::DynamoDB::Table',
        Properties: {
          BillingMode: 'PAY_PER_REQUEST',
          KeySchema: [key(TABLE.partitionKey, 'HASH'), key(TABLE.sortKey, 'RANGE')],
          AttributeDefinitions: [TABLE.partitionKey, TABLE.sortKey].map((AttributeName) => ({
            AttributeName,
            AttributeType: 'S',
          })),
        },
      },
      Role: {
        Type: 'AWS::IAM::Role',
        Properties: {
          Description: 'What a function may do with the table, for a try.',
          AssumeRolePolicyDocument: {
            Version: '2012-10-17',
            Statement: [
              {
                Effect: 'Allow',
                Action: 'sts:AssumeRole',
                // Whoever in the account may take a role over.
                Principal: { AWS: { Ref: 'AWS::AccountId' } },
              },
            ],
          },
          Policies: [
            {
              PolicyName: 'own',
              PolicyDocument: {
                Version: '2012-10-17',
                Statement: (Object.keys(FAMILIES) as (keyof typeof FAMILIES)[]).map(statement),
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

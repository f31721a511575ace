import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

const SIGNED =
  'AWS4-HMAC-SHA256 Credential=local/20261120/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=none';

/**
 * The SDK client without what costs time and says nothing to a local engine, which wants a signature and does not check it. Two
 * thirds of a landing's time in this process go into SDK calls.
 */
export const unsigned = (client: DynamoDBClient): DynamoDBClient => {
  const { middlewareStack } = client;
  for (const step of ['httpSigningMiddleware', 'httpAuthSchemeMiddleware']) middlewareStack.remove(step);
  middlewareStack.add(
    (next) => (given) => {
      const { headers } = given.request as { headers: Record<string, string> };
      headers.authorization = SIGNED;
      headers['x-amz-date'] = '20261120T120000Z';
      return next(given);
    },
    { step: 'finalizeRequest', name: 'signedForLocalEngine' },
  );
  return client;
};

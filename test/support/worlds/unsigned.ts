import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

const SIGNED =
  'AWS4-HMAC-SHA256 Credential=local/20261120/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=none';

/**
 * Replaces the client's signing by a constant header. A local engine requires a signature and does not check it, and signing costs
 * time.
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

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

const signedBy = (accessKeyId = ''): string =>
  `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20261120/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=none`;

/**
 * Replaces the client's signing by a constant header. A local engine asks for an access key id, by default that of
 * this test run, and checks no signature; signing costs time.
 */
export const unsigned = (client: DynamoDBClient, accessKeyId = process.env.AWS_ACCESS_KEY_ID): DynamoDBClient => {
  const authorization = signedBy(accessKeyId);
  const { middlewareStack } = client;
  for (const step of ['httpSigningMiddleware', 'httpAuthSchemeMiddleware']) middlewareStack.remove(step);
  middlewareStack.add(
    (next) => (given) => {
      const { headers } = given.request as { headers: Record<string, string> };
      headers.authorization = authorization;
      headers['x-amz-date'] = '20261120T120000Z';
      return next(given);
    },
    { step: 'finalizeRequest', name: 'signedForLocalEngine' },
  );
  return client;
};

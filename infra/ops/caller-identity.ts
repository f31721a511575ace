import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { CLIENT_LIMITS } from './client-limits.ts';

/**
 * Reads the ARN of the AWS identity that this process uses. It needs no permission.
 * @throws what the SDK throws, and Error if AWS returns no ARN.
 */
export const callerIdentity = async (): Promise<string> => {
  const { Arn } = await new STSClient(CLIENT_LIMITS).send(new GetCallerIdentityCommand());
  if (!Arn) throw new Error('AWS does not name the identity of these credentials.');
  return Arn;
};

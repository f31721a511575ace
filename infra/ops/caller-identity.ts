import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { CLIENT_LIMITS } from './client-limits.ts';

/**
 * The ARN of the AWS identity that this process uses. AWS answers this under any credentials, whatever they may do otherwise.
 * @throws what the SDK throws, and Error when AWS names nobody.
 */
export const callerIdentity = async (): Promise<string> => {
  const { Arn } = await new STSClient(CLIENT_LIMITS).send(new GetCallerIdentityCommand());
  if (!Arn) throw new Error('AWS does not say whose the credentials are.');
  return Arn;
};

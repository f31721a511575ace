import { OperatorError } from '#infra/ops/operator-error.ts';
import { DependencyUnavailable } from '#shared/platform/kernel/errors.ts';

/* Turns errors of AWS and of the network into sentences that say what to do next. */

/** The SDK found no credentials, or a session that has ended. */
const NO_CREDENTIALS = new Set(['CredentialsProviderError', 'TokenProviderError']);
/** AWS services use different names for the same error. */
const BAD_CREDENTIALS = new Set([
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidAccessKeyId',
  'InvalidClientTokenId',
  'InvalidSignatureException',
  'RequestExpired',
  'SignatureDoesNotMatch',
  'UnrecognizedClientException',
]);
const NOT_ALLOWED = new Set(['AccessDenied', 'AccessDeniedException', 'UnauthorizedOperation']);
/** The CDK stack exists, but not the table or queue in its outputs: it was deleted, or AWS_ENDPOINT_URL points elsewhere. */
const GONE = new Set(['ResourceNotFoundException', 'QueueDoesNotExist', 'AWS.SimpleQueueService.NonExistentQueue']);
const UNREACHABLE = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH']);

const readCode = (error: Error): string => ('code' in error ? String(error.code) : '');

/** Whether the service could not be reached. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof Error && (UNREACHABLE.has(readCode(error)) || error.name === 'TimeoutError');

const addFullStop = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Returns the SDK's error inside a `DependencyUnavailable`, in which our clients wrap errors that a repeat may cure. Returns others as they are. */
export const unwrapCause = (error: unknown): unknown => (error instanceof DependencyUnavailable ? error.cause : error);

/** Turns a known error of a deployed stage into an OperatorError; returns any other error as it is. */
export const awsFailure = (stage: string, failure: unknown): unknown => {
  const error = unwrapCause(failure);
  if (!(error instanceof Error) || error instanceof OperatorError) return failure;
  const { name, message } = error;
  if (NO_CREDENTIALS.has(name)) {
    return new OperatorError(
      'There are no AWS credentials, or their session has ended. Sign in with "aws sso login", or set AWS_PROFILE, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    );
  }
  if (BAD_CREDENTIALS.has(name)) {
    return new OperatorError(
      `AWS does not accept the credentials (${name}). They are wrong or have expired. Sign in again, for example with "aws sso login".`,
    );
  }
  if (NOT_ALLOWED.has(name)) {
    return new OperatorError(
      `The AWS credentials have no permission for this on stage "${stage}". ${addFullStop(message)} Set AWS_PROFILE to a profile that has it.`,
    );
  }
  if (message === 'Region is missing') {
    return new OperatorError(
      `No AWS region is set. Set AWS_REGION to the region that stage "${stage}" was deployed to.`,
    );
  }
  if (GONE.has(name)) {
    return new OperatorError(
      `The outputs of stage "${stage}" name a table or queue that does not exist (${name}). Check AWS_REGION, AWS_PROFILE and AWS_ENDPOINT_URL.`,
    );
  }
  if (isUnreachable(error)) {
    return new OperatorError(
      `AWS does not answer (${readCode(error) || name}). Check the network, AWS_REGION and AWS_ENDPOINT_URL.`,
    );
  }
  if (failure instanceof DependencyUnavailable) {
    return new OperatorError(`AWS is throttling requests or failing (${name}). Run the command again in a minute.`);
  }
  return error;
};

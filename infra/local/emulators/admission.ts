import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** The rules for requests to the embedded SQS emulator and to the local replacement for SES. They admit only clients of this local stack. */
export interface Admission {
  /** The only allowed `Host` header, with port. It keeps out a foreign web page whose name resolves to this machine: the page sends its own name. */
  readonly host: string;
  /** Works as a password: signatures are not checked, and only the functions and the operations command know this id. */
  readonly accessKeyId: string;
}

/** The headers that the rules check. */
export interface Credentials {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly authorization?: string | undefined;
}

/** Makes an access key id for one run: 160 random bits, in characters that DynamoDB Local allows. */
export const newAccessKeyId = (): string => `LOCAL${randomBytes(20).toString('hex')}`;

/** Makes the access key id of a data directory, the same at every start. Others cannot know it, because it is derived from the secret hash key. */
export const stableAccessKeyId = (hashKey: string): string =>
  `LOCAL${createHmac('sha256', hashKey).update('access key id').digest('hex').slice(0, 40)}`;

const SCHEME = 'AWS4-HMAC-SHA256 Credential=';

/** Whether an `Authorization` header (AWS Signature Version 4) has this access key id. */
const hasAccessKeyId = (authorization: string, accessKeyId: string): boolean => {
  const expected = Buffer.from(`${SCHEME}${accessKeyId}/`);
  const actual = Buffer.from(authorization.slice(0, expected.length));
  return actual.length === expected.length && timingSafeEqual(actual, expected);
};

/** Whether a request comes from a client of this run, and not from a web page or somebody else on this machine. */
export const isAdmitted = (
  { host, origin, authorization = '' }: Credentials,
  { host: allowedHost, accessKeyId }: Admission,
): boolean => host === allowedHost && origin === undefined && hasAccessKeyId(authorization, accessKeyId);

/** The answer to requests that are not admitted, in AWS's format. It has no headers that would let a web page read it. */
export const ACCESS_DENIED = JSON.stringify({
  __type: 'com.amazon.coral.service#AccessDeniedException',
  message:
    'This emulator belongs to a local stack. Use the access key id in the file stack.json of its data directory.',
});

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** The rules for requests to the embedded SQS emulator and the mailbox: only clients of this run of the stack. */
export interface Admission {
  /** The only allowed `Host`, with port. A web page whose own name resolves to this machine sends another one. */
  readonly host: string;
  /** Known only to the functions and the operations command. It is the secret, because signatures are not checked. */
  readonly accessKeyId: string;
}

/** The headers of a request that the rules check. */
export interface Credentials {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly authorization?: string | undefined;
}

/** Makes an access key id for one run: 160 random bits, in characters that DynamoDB Local allows. */
export const newAccessKeyId = (): string => `LOCAL${randomBytes(20).toString('hex')}`;

/** Makes the access key id of a data directory, the same at every start. It is derived from the secret hash key, so others cannot know it. */
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
  { host: own, accessKeyId }: Admission,
): boolean => host === own && origin === undefined && hasAccessKeyId(authorization, accessKeyId);

/** The answer to other requests, in AWS's format, without headers that would let a web page read it. */
export const ACCESS_DENIED = JSON.stringify({
  __type: 'com.amazon.coral.service#AccessDeniedException',
  message:
    'This emulator belongs to a local stack. Use the access key id in the file stack.json of its data directory.',
});

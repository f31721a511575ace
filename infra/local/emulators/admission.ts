import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Who may talk to the embedded SQS emulator and to the mailbox: clients of this start, at their own address. */
export interface Admission {
  /** The only `Host` that is answered, with its port. A web page that has its own name resolve to this machine sends another. */
  readonly host: string;
  /** Known to the functions and to the operations command alone. Signatures are not checked, so this is the secret. */
  readonly accessKeyId: string;
}

/** The headers of a request that decide; undefined for one that is not there. */
export interface Credentials {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly authorization?: string | undefined;
}

/** An access key id for one start: 160 random bits in the characters that DynamoDB Local allows there. */
export const newAccessKeyId = (): string => `LOCAL${randomBytes(20).toString('hex')}`;

/** The access key id of a data directory, the same at every start; derived from its secret, so as unknown to others as that is. */
export const stableAccessKeyId = (hashKey: string): string =>
  `LOCAL${createHmac('sha256', hashKey).update('access key id').digest('hex').slice(0, 40)}`;

const SCHEME = 'AWS4-HMAC-SHA256 Credential=';

/** Whether an `Authorization` header (AWS Signature Version 4) names this access key id. */
const names = (authorization: string, accessKeyId: string): boolean => {
  const expected = Buffer.from(`${SCHEME}${accessKeyId}/`);
  const actual = Buffer.from(authorization.slice(0, expected.length));
  return actual.length === expected.length && timingSafeEqual(actual, expected);
};

/** Whether a request comes from a client of this start, and not from a web page or somebody else on this machine. */
export const isAdmitted = (
  { host, origin, authorization = '' }: Credentials,
  { host: own, accessKeyId }: Admission,
): boolean => host === own && origin === undefined && names(authorization, accessKeyId);

/** The answer to everybody else, in AWS's form and without a header that would let a web page read it. */
export const ACCESS_DENIED = JSON.stringify({
  __type: 'com.amazon.coral.service#AccessDeniedException',
  message: 'This emulator belongs to a local stack, which wrote the access key id of this start to stack.json.',
});

import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { authorizationOf } from '#shared/adapters/aws-signature.ts';

/** The keys of AWS's own test suite for signatures. */
const SIGNER = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
  service: 'service',
};

test('signs the request `post-vanilla` of AWS’s test suite as it says', () => {
  const headers = { host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z' };
  expect(authorizationOf(headers, '', SIGNER)).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, ' +
      'Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  );
});

class Sha256 {
  readonly #hash;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as Uint8Array);
  }
  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(data as Uint8Array);
  }
  async digest(): Promise<Uint8Array> {
    return new Uint8Array(this.#hash.digest());
  }
  reset(): void {}
}

test.each([
  ['another day', { 'x-amz-date': '20260106T132909Z' }, {}],
  ['the next day, with the same keys', { 'x-amz-date': '20260107T000000Z' }, {}],
  ['another region', { 'x-amz-date': '20260106T132909Z' }, { region: 'eu-west-1' }],
  ['another service', { 'x-amz-date': '20260106T132909Z' }, { service: 'sqs' }],
  ['another secret', { 'x-amz-date': '20260106T132909Z' }, { secretAccessKey: 'another/secret+key' }],
  ['a session token', { 'x-amz-date': '20260106T132909Z', 'x-amz-security-token': 'FwoGZXIvYXdzEXAMPLE' }, {}],
])('signs as the SDK does: %s', async (_, given, changed) => {
  const signer = { ...SIGNER, service: 'dynamodb', ...changed };
  const body = '{"TableName":"payments-dev","Key":{"pk":{"S":"CHK#PAY-G0ABP7OQD2OJNUBPZL5R"},"sk":{"S":"CHK"}}}';
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    host: 'dynamodb.us-east-1.amazonaws.com',
    ...given,
    'x-amz-target': 'DynamoDB_20120810.GetItem',
  };
  const { accessKeyId, secretAccessKey, region, service } = signer;
  const sessionToken = 'x-amz-security-token' in given ? { sessionToken: String(given['x-amz-security-token']) } : {};
  const sdk = new SignatureV4({
    credentials: { accessKeyId, secretAccessKey, ...sessionToken },
    region,
    service,
    sha256: Sha256,
    applyChecksum: false,
  });
  const time = given['x-amz-date'].replace(/(....)(..)(..T..)(..)(..Z)/, '$1-$2-$3:$4:$5');
  const { host, ...rest } = headers;
  const signed = await sdk.sign(
    { method: 'POST', protocol: 'https:', hostname: host, path: '/', query: {}, headers: { host, ...rest }, body },
    { signingDate: new Date(time) },
  );
  expect(authorizationOf(headers, body, signer)).toBe(signed.headers.authorization);
});

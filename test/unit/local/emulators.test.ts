import { isAdmitted, newAccessKeyId, stableAccessKeyId } from '#infra/local/emulators/admission.ts';
import { PORTS_WITHOUT_BROWSERS } from '#infra/local/emulators/dynamodb-emulator.ts';

const ID = newAccessKeyId();
const HOST = '127.0.0.1:8000';
const AUTHORIZATION = `AWS4-HMAC-SHA256 Credential=${ID}/20261120/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00`;

test('a request is admitted by host, origin and access key id', () => {
  const admission = { host: HOST, accessKeyId: ID };
  const ours = { host: HOST, authorization: AUTHORIZATION };
  expect(isAdmitted(ours, admission)).toBe(true);
  for (const foreignHeaders of [
    { ...ours, host: 'localhost:8000' },
    { ...ours, origin: `http://${HOST}` },
    { ...ours, authorization: AUTHORIZATION.replace(ID, `${ID}0`) },
    { ...ours, authorization: AUTHORIZATION.replace(ID, ID.slice(1)) },
    { ...ours, authorization: AUTHORIZATION.replace(ID, `${ID.slice(0, -1)}é`) },
    { host: HOST },
  ]) {
    expect(isAdmitted(foreignHeaders, admission)).toBe(false);
  }
});

test('a new access key id differs each time, and the one that is derived from a secret is always the same', () => {
  expect(newAccessKeyId()).not.toBe(ID);
  expect(stableAccessKeyId('a')).toBe(stableAccessKeyId('a'));
  expect(stableAccessKeyId('a')).not.toBe(stableAccessKeyId('b'));
  // DynamoDB Local takes only letters and digits.
  for (const id of [ID, stableAccessKeyId('a')]) expect(id).toMatch(/^LOCAL[0-9a-f]{40}$/);
});

test('browsers refuse to connect to the ports of the DynamoDB emulator, and no port needs an administrator', async () => {
  for (const port of PORTS_WITHOUT_BROWSERS) {
    expect(port).toBeGreaterThan(1023);
    // Node's fetch follows the same standard as browsers.
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ cause: { message: 'bad port' } });
  }
});

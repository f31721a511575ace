import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

/*
 * An authenticator with its browser: it has a key of its own and no attestation (WebAuthn Level 3, sections 6.1 and 6.5; RFC 8949 for CBOR,
 * RFC 9053 for the form of the key).
 */

const MAX_SHORT = 24;
const encodeHead = (major: number, length: number): Buffer => {
  if (length < MAX_SHORT) return Buffer.from([(major << 5) | length]);
  return length < 256
    ? Buffer.from([(major << 5) | 24, length])
    : Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
};
type Cbor = number | string | Buffer | ReadonlyMap<number | string, Cbor>;
const encodeCbor = (value: Cbor): Buffer => {
  if (typeof value === 'number') return value < 0 ? encodeHead(1, -1 - value) : encodeHead(0, value);
  if (typeof value === 'string') return Buffer.concat([encodeHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([encodeHead(2, value.length), value]);
  const pairs = [...value].flatMap(([key, inner]) => [encodeCbor(key), encodeCbor(inner)]);
  return Buffer.concat([encodeHead(5, value.size), ...pairs]);
};

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_KEY = 0x40;

/** Makes an authenticator with one passkey. `isVerified`: whether it verifies the user by finger or PIN. */
export const createAuthenticator = ({ isVerified = true } = {}) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  let uses = 0;
  const flags = USER_PRESENT | (isVerified ? USER_VERIFIED : 0);
  const makeData = (host: string, flag: number, rest = Buffer.alloc(0)): Buffer => {
    const counter = Buffer.alloc(4);
    uses += 1;
    counter.writeUInt32BE(uses);
    return Buffer.concat([sha256(host), Buffer.from([flag]), counter, rest]);
  };
  const clientData = (type: string, challenge: string, origin: string): string =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url');
  return {
    id: id.toString('base64url'),
    /** Makes the data that a browser sends for a new passkey. */
    make: ({ challenge, origin }: { readonly challenge: string; readonly origin: string }) => {
      const key = new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]);
      const length = Buffer.from([0, id.length]);
      const rest = Buffer.concat([Buffer.alloc(16), length, id, encodeCbor(key)]);
      const attestation = new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', makeData(new URL(origin).hostname, flags | HAS_KEY, rest)],
      ]);
      return {
        id: id.toString('base64url'),
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, origin),
          attestationObject: encodeCbor(attestation).toString('base64url'),
        },
      };
    },
    /** Makes the data that a browser sends after it used the passkey. */
    use: ({
      challenge,
      origin,
      userId,
    }: {
      readonly challenge: string;
      readonly origin: string;
      readonly userId: string;
    }) => {
      const clientDataJSON = clientData('webauthn.get', challenge, origin);
      const data = makeData(new URL(origin).hostname, flags);
      const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
      return {
        id: id.toString('base64url'),
        response: {
          clientDataJSON,
          authenticatorData: data.toString('base64url'),
          signature: createSign('SHA256').update(signed).sign(privateKey).toString('base64url'),
          userHandle: Buffer.from(userId).toString('base64url'),
        },
      };
    },
  };
};
export type Authenticator = ReturnType<typeof createAuthenticator>;

import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

/** Who signs a request, for which service of which region. */
export interface Signer {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
  readonly service: string;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const MOST_KEYS = 16;

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Signing keys by secret and scope. A key object, because Node prepares the bytes of a plain key anew at each use. */
const keys = new Map<string, KeyObject>();

/** The key for one day, region and service. */
const signingKey = ({ secretAccessKey, region, service }: Signer, day: string, scope: string): KeyObject => {
  const name = `${secretAccessKey} ${scope}`;
  const known = keys.get(name);
  if (known) return known;
  if (keys.size === MOST_KEYS) keys.clear();
  const ofService = hmac(hmac(hmac(`AWS4${secretAccessKey}`, day), region), service);
  const key = createSecretKey(hmac(ofService, 'aws4_request'));
  keys.set(name, key);
  return key;
};

/**
 * The `authorization` header of a POST to `/` without a query (IAM user guide, "Create a signed AWS API request"). `headers` are signed
 * as they stand: lower-case names in alphabetical order, `host` and `x-amz-date` among them, single spaces within values.
 */
export const authorizationOf = (headers: Readonly<Record<string, string>>, body: string, signer: Signer): string => {
  const time = headers['x-amz-date'] ?? '';
  const day = time.slice(0, 8);
  const names = Object.keys(headers).join(';');
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const request = `POST\n/\n\n${lines.join('')}\n${names}\n${hash('sha256', body)}`;
  const scope = `${day}/${signer.region}/${signer.service}/aws4_request`;
  const signature = createHmac('sha256', signingKey(signer, day, scope))
    .update(`${ALGORITHM}\n${time}\n${scope}\n${hash('sha256', request)}`)
    .digest('hex');
  return `${ALGORITHM} Credential=${signer.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
};

import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import * as z from 'zod/mini';
import type { RandomBytes } from '#shared/platform/kernel/ids.ts';
import { text } from '#shared/platform/kernel/schemas.ts';

/*
 * Webhook secrets as the table has them: encrypted, so that whoever reads or restores it signs nothing. AES-256-GCM under a key of the
 * stage, bound to the endpoint: what is copied to another one opens there no more.
 */

const PREFIX = 'sealed';
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** `sealed.`, the id of the key, and nonce, ciphertext and tag in base64url. */
export const sealedSecret = text.check(z.regex(/^sealed\.[0-9a-f]{8}\.[\w-]{80,240}$/));

/** The key of the cipher, and an id by which it is found again: it tells nothing of the key. */
const derive = (key: string): { readonly id: string; readonly cipherKey: Buffer } => {
  const bytes = Buffer.from(hkdfSync('sha256', key, '', 'webhook secrets', KEY_BYTES + ID_BYTES));
  return { id: bytes.subarray(KEY_BYTES).toString('hex'), cipherKey: bytes.subarray(0, KEY_BYTES) };
};

/** Encrypts a secret for one endpoint. */
export const sealSecret = (key: string, endpointId: string, secret: string, random: RandomBytes): string => {
  const { id, cipherKey } = derive(key);
  const nonce = Buffer.from(random(NONCE_BYTES));
  const cipher = createCipheriv(CIPHER, cipherKey, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(endpointId));
  const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${PREFIX}.${id}.${sealed.toString('base64url')}`;
};

/** Whether a stored secret needs no other key than this one. */
export const isSealedUnder = (key: string, stored: string): boolean =>
  stored.startsWith(`${PREFIX}.${derive(key).id}.`);

/**
 * A secret as it was before it was sealed. Undefined if none of the keys sealed it, if it was changed since, and if it was sealed for
 * another endpoint.
 */
export const openSecret = (keys: readonly string[], endpointId: string, stored: string): string | undefined => {
  const [, keyId, content = ''] = stored.split('.');
  const cipherKey = keys.map(derive).find(({ id }) => id === keyId)?.cipherKey;
  if (!cipherKey) return undefined;
  const bytes = Buffer.from(content, 'base64url');
  const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(-TAG_BYTES)];
  try {
    const decipher = createDecipheriv(CIPHER, cipherKey, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(endpointId))
      .setAuthTag(tag);
    return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
};

import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import * as z from 'zod/mini';
import type { RandomBytes } from '#shared/platform/kernel/ids.ts';
import { text } from '#shared/platform/kernel/schemas.ts';

/*
 * Encrypts ("seals") webhook secrets, so that a person who reads or restores the table cannot sign with them. The cipher is AES-256-GCM
 * with a key of the stage. A sealed secret is bound to its endpoint: copied to another one, it cannot be opened.
 */

const PREFIX = 'sealed';
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The format of a sealed secret: `sealed.`, the id of the key, a dot, and nonce, ciphertext and tag in base64url. */
export const sealedSecret = text.check(z.regex(/^sealed\.[0-9a-f]{8}\.[\w-]{80,240}$/));

/** Derives the cipher key and its id. The id reveals nothing about the key. */
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

/** Whether a stored secret was sealed with this key. */
export const isSealedUnder = (key: string, stored: string): boolean =>
  stored.startsWith(`${PREFIX}.${derive(key).id}.`);

/**
 * Decrypts a sealed secret. Returns undefined if none of the keys sealed it, if it was changed, or if it was sealed for another endpoint.
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

import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { text } from '#shared/platform/kernel/schemas.ts';
import type { LogoImage } from './logo-image.ts';
import { logo } from './profile.ts';

const ID_LENGTH = 32;

/** A logo as it is stored beside its business. Its bytes are in base64, as API Gateway takes them. */
export const storedLogo = z.extend(logo, { businessId: idSchema('biz'), data: text });
export type StoredLogo = z.infer<typeof storedLogo>;

/** Checks whether a text has the form of a logo's id. */
export const isLogoId = (id: string): boolean => /^[0-9a-f]{32}$/.test(id);

/** Makes the logo of a business from a picture. Its id takes 128 bits of a hash, so nobody can guess it. */
export const newLogo = (businessId: string, { bytes, ...image }: LogoImage): StoredLogo => {
  const id = createHash('sha256').update(`${businessId}\n`).update(bytes).digest('hex').slice(0, ID_LENGTH);
  return { id, ...image, businessId, data: bytes.toString('base64') };
};

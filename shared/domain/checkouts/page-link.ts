import { createHmac, timingSafeEqual } from 'node:crypto';
import { checkoutReference } from '#shared/domain/kernel/ids.ts';

/*
 * The link of a checkout's page. References end up in addresses, logs and e-mails, so a reference alone must not open the page: the link
 * carries a tag that only we can make. Nothing of it is stored, and a forged link is refused before anything is read.
 */

const TAG_BYTES = 16;

const tagOf = (hashKey: string, reference: string): Buffer =>
  createHmac('sha256', hashKey).update(`pay-page${reference}`).digest().subarray(0, TAG_BYTES);

/** What follows `/pay/` in the address of a checkout's page. `hashKey` is the stage's hash key. */
export const pageLink = (hashKey: string, reference: string): string =>
  `${reference}.${tagOf(hashKey, reference).toString('base64url')}`;

/** The reference of a link that we made; undefined for any other text. */
export const readPageLink = (hashKey: string, link: string): string | undefined => {
  const dot = link.indexOf('.');
  const reference = link.slice(0, Math.max(dot, 0));
  if (!checkoutReference.safeParse(reference).success) return undefined;
  const genuine = Buffer.from(tagOf(hashKey, reference).toString('base64url'));
  // The tag as it is written, so that each checkout has one link: several texts decode to the same bytes.
  const given = Buffer.from(link.slice(dot + 1));
  return given.length === genuine.length && timingSafeEqual(given, genuine) ? reference : undefined;
};

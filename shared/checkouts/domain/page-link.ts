import { createHmac, timingSafeEqual } from 'node:crypto';
import { checkoutReference } from '#shared/platform/kernel/ids.ts';

/*
 * The link of a checkout's page. References end up in addresses, logs and e-mails, so a reference alone must not open the page: the link
 * carries a tag that only we can make. Nothing of it is stored, and a forged link is refused before anything is read.
 */

const TAG_BYTES = 16;

const computeTag = (key: string, reference: string): Buffer =>
  createHmac('sha256', key).update(`pay-page${reference}`).digest().subarray(0, TAG_BYTES);

/** What follows `/pay/` in the address of a checkout's page. `key` is the stage's for such links alone. */
export const pageLink = (key: string, reference: string): string =>
  `${reference}.${computeTag(key, reference).toString('base64url')}`;

/** The reference of a link that we made with one of the keys; undefined for any other text. */
export const readPageLink = (keys: readonly string[], link: string): string | undefined => {
  const dot = link.indexOf('.');
  const reference = link.slice(0, Math.max(dot, 0));
  if (!checkoutReference.safeParse(reference).success) return undefined;
  // The tag as it is written, so that each checkout has one link under a key: several texts decode to the same bytes.
  const tag = Buffer.from(link.slice(dot + 1));
  const isGenuine = keys.some((key) => {
    const genuine = Buffer.from(computeTag(key, reference).toString('base64url'));
    return tag.length === genuine.length && timingSafeEqual(tag, genuine);
  });
  return isGenuine ? reference : undefined;
};

import { createHmac, timingSafeEqual } from 'node:crypto';
import { checkoutReference } from '#shared/platform/kernel/ids.ts';

/*
 * The link of a checkout's payment page. References appear in addresses, logs and e-mails, so a reference alone must not open the page: the
 * link adds a tag that only we can make. The link is not stored, and a forged one is rejected before any read.
 */

const TAG_BYTES = 16;

const computeTag = (key: string, reference: string): Buffer =>
  createHmac('sha256', key).update(`pay-page${reference}`).digest().subarray(0, TAG_BYTES);

/** Makes the part after `/pay/` of a payment page's address. `key`: the stage's key for these links only. */
export const pageLink = (key: string, reference: string): string =>
  `${reference}.${computeTag(key, reference).toString('base64url')}`;

/** Returns the reference of a link that one of the keys signed; undefined for any other text. */
export const readPageLink = (keys: readonly string[], link: string): string | undefined => {
  const dot = link.indexOf('.');
  const reference = link.slice(0, Math.max(dot, 0));
  if (!checkoutReference.safeParse(reference).success) return undefined;
  // Compare the tag's text, not its bytes: several texts decode to the same bytes, but a checkout has one link per key.
  const tag = Buffer.from(link.slice(dot + 1));
  const isGenuine = keys.some((key) => {
    const genuine = Buffer.from(computeTag(key, reference).toString('base64url'));
    return tag.length === genuine.length && timingSafeEqual(tag, genuine);
  });
  return isGenuine ? reference : undefined;
};

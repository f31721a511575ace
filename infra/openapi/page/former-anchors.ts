/**
 * Anchors of the time when the guide was one page. Links, bookmarks and mails still use them, so each must lead to its present place.
 * Endpoints, fields and error codes kept their anchors.
 */
export const FORMER_ANCHORS = [
  'a-first-payment',
  'authentication-and-modes',
  'test-mode',
  'money-and-time',
  'checkout-states',
  'the-name-on-the-account',
  'short-over-late-and-second-transfers',
  'short-over-late-and-second-transfers-to-a-checkout',
  'short-over-late-and-second-transfers-to-a-virtual-account',
  'idempotency',
  'rate-limits',
  'lists',
  'answers',
  'errors',
  'versions',
  'changelog',
  'a-client-in-typescript',
  'generated-clients',
  'retention',
  'webhooks',
  'verifying-webhooks',
  'verifying-webhooks-node',
  'verifying-webhooks-python',
  'verifying-webhooks-php',
  'verifying-webhooks-go',
  'verifying-webhooks-java',
  'recipes',
  'recipes-the-server-side-of-a-checkout-page',
  'recipes-a-page-to-pay-on-made-by-us',
  'recipes-the-payment-page-in-your-own',
  'recipes-retrying-an-expired-order',
  'recipes-a-wallet-for-each-customer',
  'recipes-kobo-and-naira',
  'recipes-webhooks-on-localhost',
  'recipes-month-end',
  'recipes-every-night',
  'recipes-refunds-of-rejected-and-returned-money',
] as const;

/** The present anchors of texts that have another title now. */
const RENAMED: Readonly<Partial<Record<(typeof FORMER_ANCHORS)[number], string>>> = {
  recipes: 'a-shop',
  'recipes-the-server-side-of-a-checkout-page': 'a-shop',
  'recipes-a-page-to-pay-on-made-by-us': 'the-payment-page',
  'recipes-a-wallet-for-each-customer': 'a-wallet',
  'recipes-refunds-of-rejected-and-returned-money': 'refunds',
};

/** Removes the chapter from a former anchor: `recipes-month-end` becomes `month-end`. */
const removeChapter = (former: string): string => {
  const chapter = FORMER_ANCHORS.findLast((other) => former.startsWith(`${other}-`));
  return former.slice(chapter ? chapter.length + 1 : 0);
};

/**
 * Finds the present anchor for each former anchor that no page has any more. Its heading has become a chapter, or stands in another chapter now.
 * @param ids Every present anchor.
 */
export const movedAnchors = (ids: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    FORMER_ANCHORS.filter((former) => !ids.includes(former)).flatMap((former) => {
      const heading = removeChapter(former);
      const anchor =
        RENAMED[former] ?? ids.find((id) => id === heading) ?? ids.find((id) => id.endsWith(`-${heading}`));
      return anchor === undefined ? [] : [[former, anchor] as const];
    }),
  );

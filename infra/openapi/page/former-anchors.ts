/**
 * The anchors of the guide while all of it was one page, which links, bookmarks and mails still have. Whatever else had an anchor has the
 * same one today.
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

/** Anchors of today for those whose text has another title now, or another chapter. */
const RENAMED: Readonly<Partial<Record<(typeof FORMER_ANCHORS)[number], string>>> = {
  recipes: 'a-shop',
  'recipes-the-server-side-of-a-checkout-page': 'a-shop',
  'recipes-a-page-to-pay-on-made-by-us': 'the-payment-page',
  'recipes-a-wallet-for-each-customer': 'a-wallet',
  'recipes-refunds-of-rejected-and-returned-money': 'refunds',
};

/** A heading without its chapter: `recipes-month-end` gives `month-end`. */
const withoutChapter = (former: string): string => {
  const chapter = FORMER_ANCHORS.findLast((other) => former.startsWith(`${other}-`));
  return former.slice(chapter ? chapter.length + 1 : 0);
};

/**
 * The anchor of today for each former one that no page has: the chapter that the heading became, or the heading in its new chapter.
 * @param ids Every anchor of today.
 */
export const movedAnchors = (ids: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    FORMER_ANCHORS.filter((former) => !ids.includes(former)).flatMap((former) => {
      const heading = withoutChapter(former);
      const anchor =
        RENAMED[former] ?? ids.find((id) => id === heading) ?? ids.find((id) => id.endsWith(`-${heading}`));
      return anchor === undefined ? [] : [[former, anchor] as const];
    }),
  );

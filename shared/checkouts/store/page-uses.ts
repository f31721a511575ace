import { shownAttempt } from '#shared/checkouts/domain/attempt.ts';
import { PAGE_USES } from '#shared/checkouts/domain/page-uses.ts';
import type { PageUses } from '#shared/checkouts/ports.ts';
import { pageUseKey } from '#shared/checkouts/store/keys.ts';
import { DAY } from '#shared/platform/kernel/time.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { countWithin } from '#shared/platform/table/window-count.ts';

/**
 * Counts uses of payment pages in the table: one item per checkout and action. A use costs one write unit. Counts are kept for 30 days
 * after the checkout's expiry.
 */
export const pageUses = (table: Table): PageUses => ({
  take: (checkout, use) =>
    countWithin(table, pageUseKey(checkout.reference, use), shownAttempt(checkout).expiresAt + 30 * DAY, {
      most: PAGE_USES[use],
    }),
});

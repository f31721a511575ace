import { shownAttempt } from '#shared/checkouts/domain/attempt.ts';
import { PAGE_USES } from '#shared/checkouts/domain/page-uses.ts';
import type { PageUses } from '#shared/checkouts/ports.ts';
import { pageUseKey } from '#shared/checkouts/store/keys.ts';
import { DAY } from '#shared/platform/kernel/time.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { takeFrom } from '#shared/platform/table/window-count.ts';

/** Uses of checkouts' pages, one item a checkout and use, for one write unit. They are kept for as long as a checkout can be asked about. */
export const pageUses = (table: Table): PageUses => ({
  take: (checkout, use) =>
    takeFrom(table, pageUseKey(checkout.reference, use), shownAttempt(checkout).expiresAt + 30 * DAY, {
      most: PAGE_USES[use],
    }),
});

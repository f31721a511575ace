import { pageUseKey } from '#shared/adapters/dynamodb/table/keys.ts';
import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import { takeFrom } from '#shared/adapters/dynamodb/table/window-count.ts';
import { PAGE_USES } from '#shared/domain/checkouts/page-uses.ts';
import { DAY } from '#shared/domain/kernel/time.ts';
import type { PageUses } from '#shared/ports/checkouts.ts';

/** Uses of checkouts' pages, one item a checkout and use, for one write unit. They are kept for as long as a checkout can be asked about. */
export const pageUses = (table: Table): PageUses => ({
  take: ({ reference, expiresAt }, use) =>
    takeFrom(table, pageUseKey(reference, use), expiresAt + 30 * DAY, { most: PAGE_USES[use] }),
});

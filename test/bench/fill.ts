import { randomBytes } from 'node:crypto';
import { shownAttempt } from '#shared/checkouts/domain/attempt.ts';
import { type Checkout, checkout } from '#shared/checkouts/domain/checkout.ts';
import { checkoutItem } from '#shared/checkouts/store/items.ts';
import { newCheckoutReference } from '#shared/platform/kernel/ids.ts';
import type { Item, Table } from '#shared/platform/table/table.ts';
import { putAll } from '#test/support/worlds/table.ts';
import { inParallel } from './requests.ts';

/** BatchWriteItem takes at most 25 items. */
const BATCH = 25;
const MAX_CONCURRENT = 4;
/** One checkout in ten is pending, and so in the due-work index. */
const PENDING_EVERY = 10;
const GAP_MS = 1_000;

/**
 * Fills a table with `count` checkouts of one merchant through the service's own codecs. They are copies of `pending` and `paid`, one
 * second apart, the newest now. Their account numbers are left out, because no request reads them.
 * @returns the references, the newest first.
 */
export const fillCheckouts = async (
  table: Table,
  count: number,
  { pending, paid }: { pending: Item; paid: Item },
): Promise<readonly string[]> => {
  const [waiting, settled] = [checkout.parse(pending), checkout.parse(paid)];
  const now = Date.now();
  const references: string[] = [];
  const makeItem = (i: number): Item => {
    const template = i % PENDING_EVERY === 0 ? waiting : settled;
    const reference = newCheckoutReference(randomBytes);
    const createdAt = now - i * GAP_MS;
    const copy: Checkout = { ...template, reference, createdAt, attempts: [{ ...shownAttempt(template), reference }] };
    references[i] = reference;
    return checkoutItem(table, copy);
  };
  await inParallel(Math.ceil(count / BATCH), MAX_CONCURRENT, async (batch) => {
    const from = batch * BATCH;
    await putAll(
      table,
      Array.from({ length: Math.min(BATCH, count - from) }, (_, k) => makeItem(from + k)),
    );
  });
  return references;
};

import { createHmac, timingSafeEqual } from 'node:crypto';
import { invalid } from '#shared/platform/kernel/errors.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import type { Page, PageRequest } from '#shared/platform/ports.ts';

const TAG_BYTES = 16;

const tag = (hashKey: string, tenant: Tenant, list: string, position: string): Buffer =>
  createHmac('sha256', hashKey)
    .update(JSON.stringify(['cursor', tenant.businessId, tenant.mode, list, position]))
    .digest()
    .subarray(0, TAG_BYTES);

/**
 * Reads which list page is requested. A cursor is opaque and bound to business, mode and list.
 * @throws ApiError `validation_failed` for a cursor of another business, mode or list, and for a cursor that we did not issue.
 */
export const readPageRequest = (
  hashKey: string,
  tenant: Tenant,
  list: string,
  query: { limit: number; cursor?: string | undefined },
): PageRequest => {
  if (query.cursor === undefined) return { limit: query.limit, after: null };
  const bytes = Buffer.from(query.cursor, 'base64url');
  const position = bytes.subarray(TAG_BYTES).toString('utf8');
  const expectedTag = tag(hashKey, tenant, list, position);
  if (bytes.length <= TAG_BYTES || !timingSafeEqual(bytes.subarray(0, TAG_BYTES), expectedTag)) {
    throw invalid({ field: 'cursor', message: 'cursor must be a cursor that this list gave you.' });
  }
  return { limit: query.limit, after: position };
};

/** Makes the cursor of a position in a list; null at the end of the list. */
export const cursorTo = (hashKey: string, tenant: Tenant, list: string, position: string | null): string | null =>
  position === null
    ? null
    : Buffer.concat([tag(hashKey, tenant, list, position), Buffer.from(position)]).toString('base64url');

/** Builds the answer with one list page: the items as `view` shows them, and the cursor of the next list page. */
export const listReply = <T, V>(
  hashKey: string,
  tenant: Tenant,
  list: string,
  page: Page<T>,
  view: (item: T) => V,
) => ({
  status: 200,
  body: {
    status: true,
    data: page.items.map(view),
    meta: {
      has_more: page.next !== null,
      next_cursor: cursorTo(hashKey, tenant, list, page.next),
    },
  },
});

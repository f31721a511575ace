import * as z from 'zod/mini';
import { count, text } from '#shared/platform/kernel/schemas.ts';
import { writtenReference } from '#shared/providers/common/texts.ts';
import type { ListedPayment } from '#shared/providers/domain/report.ts';
import type { LiveProvider } from '#shared/providers/ports.ts';
import { buildChargeQuery, isTransferChannel } from './channels.ts';
import type { PaystackCall } from './client.ts';
import { idText } from './fields.ts';
import { requireData } from './reply.ts';

const PER_PAGE = 100;

/** The fields of a row that tell whether it is a transfer that brought money. */
const rowKind = z.object({ channel: text, status: text });
const listedFields = z.object({ reference: writtenReference, id: z.catch(z.nullable(idText), null) });
/** The statuses of received money, even if it was returned later. We request every status, because Paystack can filter by only one. */
const WITH_MONEY = new Set(['success', 'reversed']);

const paging = z.catch(z.object({ pageCount: z.catch(z.nullable(count), null) }), { pageCount: null });

/**
 * Finds the number of the next list page; null after the last one. The page count tells which page is the last one. Without a page count, an
 * empty page ends the list. A short page does not end it: Paystack's sources disagree about the parameter of the page size, so pages may be
 * shorter than requested.
 */
const findNextPage = (page: number, pageCount: number | null, rowCount: number): string | null => {
  const isLast = rowCount === 0 || (pageCount !== null && page >= pageCount);
  return isLast ? null : String(page + 1);
};

/**
 * Converts a row to a payment to look up. Undefined: the row is no transfer that brought money. `unreadable`: it is such a transfer, but its
 * reference is missing or cannot be read.
 */
const toListedPayment = (row: unknown): ListedPayment | 'unreadable' | undefined => {
  const { data: kind } = rowKind.safeParse(row);
  if (!kind || !WITH_MONEY.has(kind.status) || !isTransferChannel(kind.channel)) return undefined;
  const { data: fields } = listedFields.safeParse(row);
  const query = fields && buildChargeQuery(kind.channel, fields.reference);
  if (!query) return 'unreadable';
  const origin = fields.id === null ? null : ({ kind: 'transfer', transferId: fields.id } as const);
  return { query, origin, isReturned: kind.status === 'reversed' };
};

/** Lists payments, one list page a call (providers.md section 1.4). @throws ProviderError, OutcomeUnknown, ProviderUnavailable. */
export const payments = (call: PaystackCall): Pick<LiveProvider, 'listPayments'> => ({
  listPayments: async ({ from, to, cursor }) => {
    const page = cursor === null ? 1 : Number(cursor);
    const search = new URLSearchParams({
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      perPage: String(PER_PAGE),
      page: String(page),
    });
    const reply = await call({ method: 'GET', path: `/transaction?${search}` });
    const rows = requireData(reply, z.array(z.unknown()));
    const { pageCount } = paging.parse(reply.ok ? reply.meta : undefined);
    const listedPayments = rows.map(toListedPayment);
    return {
      payments: listedPayments.flatMap((payment) =>
        payment === undefined || payment === 'unreadable' ? [] : [payment],
      ),
      unreadable: listedPayments.filter((payment) => payment === 'unreadable').length,
      next: findNextPage(page, pageCount, rows.length),
    };
  },
});

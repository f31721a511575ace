import * as z from 'zod/mini';
import { boolean } from '#shared/platform/kernel/schemas.ts';
import { parseAnswer } from '#shared/providers/common/parse-answer.ts';
import type { LiveProvider } from '#shared/providers/ports.ts';
import type { MonnifyCall } from './client.ts';
import { toProviderError } from './envelope.ts';
import { readRow } from './list-row.ts';
import type { WrongAmountSetting } from './report.ts';

const PAGE_SIZE = 100;

const page = z.object({ content: z.array(z.unknown()), last: z.catch(z.nullish(boolean), null) });

/**
 * Lists payments, one list page a call. The cursor is the page's number, from 0 (providers.md section 2.4). The request does not filter by
 * status, because Monnify's filter accepts only one status, and paid payments have several. An unreadable row is counted and does not affect the
 * other rows.
 * @throws ProviderError, OutcomeUnknown, ProviderUnavailable.
 */
export const listPayments =
  (call: MonnifyCall, settings: WrongAmountSetting): LiveProvider['listPayments'] =>
  async ({ from, to, cursor }) => {
    const number = Number(cursor ?? 0);
    const listed = await call({
      method: 'GET',
      path: `/api/v1/transactions/search?page=${number}&size=${PAGE_SIZE}&from=${from}&to=${to}`,
    });
    if (!listed.ok) throw toProviderError(listed.problem);
    const { content, last } = parseAnswer(page, listed.body);
    const isLast = content.length === 0 || (last ?? content.length < PAGE_SIZE);
    const rows = content.map((entry) => readRow(entry, settings));
    const unreadable = rows.filter((entry) => entry === 'unreadable').length;
    return {
      payments: rows.flatMap((entry) => (typeof entry === 'string' ? [] : entry)),
      next: isLast ? null : String(number + 1),
      ...(unreadable > 0 && { unreadable }),
    };
  };

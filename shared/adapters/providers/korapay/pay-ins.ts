import * as z from 'zod';
import { refused } from '#shared/adapters/providers/common/refusals.ts';
import { type LiveProvider, OutcomeUnknown, type ReportPage } from '#shared/ports.ts';
import { type AskKorapay, readAs } from './call.ts';
import { listSpan } from './dates.ts';
import { reasonOf } from './refusal.ts';

/** How many at once; the largest that Korapay allows is not documented, ten is its default. */
const PAGE = 50;

const payIn = z.object({
  reference: z.string().min(1),
  status: z.string().nullish(),
  amount_paid: z.union([z.number(), z.string()]).nullish(),
  payment_method: z.string().nullish(),
  pointer: z.string().nullish(),
});
type PayIn = z.infer<typeof payIn>;

/** Korapay's page shows one pay-in in `data` and `has_more` beside it; integrators see both in `data`, with a list `payins`. */
const payIns = z.union([
  z.array(payIn),
  z.object({ payins: z.array(payIn) }).transform(({ payins }) => payins),
  payIn.transform((one) => [one]),
]);
const more = z.object({ has_more: z.boolean() });

const hasMore = (body: unknown, data: unknown): boolean =>
  [body, data].some((place) => more.safeParse(place).data?.has_more === true);

const ONE_PAYMENT = 'bank_transfer';
const STANDING_ACCOUNT = 'virtual_bank_account';

/** Whether it may be money of ours: nothing was paid into most charges that are listed, and cards are not our business. */
const isMoney = ({ status, amount_paid, payment_method }: PayIn): boolean =>
  (status === 'success' || status === 'reversed' || Number(amount_paid ?? 0) !== 0) &&
  [ONE_PAYMENT, STANDING_ACCOUNT].includes(payment_method ?? ONE_PAYMENT);

/** Korapay's own references begin so. A payment has no transfer id of its own: it is looked up anew each time. */
const paymentOf = ({ reference, payment_method, status }: PayIn): ReportPage['payments'][number] => ({
  query: { by: reference.startsWith('KPY-') ? 'transaction' : 'our_reference', value: reference },
  transferId: payment_method === STANDING_ACCOUNT ? reference : null,
  wentBack: status === 'reversed',
});

/**
 * Lists what Korapay took in, a page at a time; the cursor is its pointer. Source: the page "Pay-ins History API" of
 * developers.korapay.com (`/docs/pay-ins-history-api`). Throws what `ask` throws, refusals, and OutcomeUnknown.
 */
export const payInsOf =
  (ask: AskKorapay): LiveProvider['listPayments'] =>
  async ({ from, to, cursor }) => {
    const wanted = new URLSearchParams({
      currency: 'NGN',
      ...listSpan(from, to),
      limit: String(PAGE),
      ...(cursor !== null && { starting_after: cursor }),
    });
    const answer = await ask({ method: 'GET', path: `/pay-ins?${wanted}` });
    if (!answer.done) throw refused(reasonOf(answer));
    const listed = readAs(payIns, answer.data ?? []);
    const next = hasMore(answer.body, answer.data) && listed.length > 0 ? (listed.at(-1)?.pointer ?? undefined) : null;
    if (next === undefined || (next !== null && next === cursor)) throw new OutcomeUnknown('The list does not go on.');
    return { payments: listed.filter(isMoney).map(paymentOf), next };
  };

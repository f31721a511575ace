import * as z from 'zod/mini';
import { koboIfValid, koboOfNaira } from '#shared/adapters/providers/common/money.ts';
import { parseAnswer } from '#shared/adapters/providers/common/parse-answer.ts';
import { boolean, nonEmptyString } from '#shared/domain/kernel/schemas.ts';
import { OutcomeUnknown } from '#shared/domain/providers/errors.ts';
import type { LiveProvider, ReportPage } from '#shared/ports/providers.ts';
import { optionalNaira } from './charge.ts';
import type { KorapayCall } from './client.ts';
import { listSpan } from './dates.ts';
import { refusalOf } from './refusal.ts';
import { optionalText } from './virtual-accounts.ts';

/** Payments on a page. Korapay's default is ten; its maximum is not documented. */
const PAGE_SIZE = 50;

const payIn = z.object({
  reference: nonEmptyString,
  status: optionalText,
  amount: optionalNaira,
  amount_paid: optionalNaira,
  payment_method: optionalText,
  pointer: optionalText,
});
type PayIn = z.infer<typeof payIn>;

/**
 * The pay-ins of an answer's `data`. Korapay's documentation has one pay-in there and `has_more` beside `data`; integrators have seen
 * `has_more` and a list `payins` inside `data`.
 */
const payIns = z.union([
  z.array(payIn),
  z.pipe(
    z.object({ payins: z.array(payIn) }),
    z.transform(({ payins }) => payins),
  ),
  z.pipe(
    payIn,
    z.transform((one) => [one]),
  ),
]);
const more = z.object({ has_more: boolean });

const hasMore = (body: unknown, data: unknown): boolean =>
  [body, data].some((place) => more.safeParse(place).data?.has_more === true);

const PAYMENT_ACCOUNT = 'bank_transfer';
const VIRTUAL_ACCOUNT = 'virtual_bank_account';

/** Whether it may be money for us. Most charges in the list were never paid, and card payments do not concern us. */
const hasMoney = ({ status, amount_paid, payment_method }: PayIn): boolean =>
  (status === 'success' || status === 'reversed' || Number(amount_paid ?? 0) !== 0) &&
  [PAYMENT_ACCOUNT, VIRTUAL_ACCOUNT].includes(payment_method ?? PAYMENT_ACCOUNT);

/**
 * What the list reports of a payment account's money. The right amount is the first part of its running total and needs no look-up. Of a
 * wrong amount some may have been returned, and the list does not report what was kept, so it counts as returned: that makes us look it up.
 */
const checkoutPaymentOf = ({
  reference,
  status,
  amount,
  amount_paid,
}: PayIn): Omit<ReportPage['payments'][number], 'query'> => {
  const [paid, asked] = [amount_paid, amount].map((naira) => koboIfValid(koboOfNaira, naira));
  // Then it is looked up.
  if (paid === undefined || asked === undefined) return { origin: null, isReturned: status === 'reversed' };
  if (paid !== asked) return { origin: null, isReturned: true };
  return {
    origin: { kind: 'part', reference, reached: paid, falls: 0 },
    isReturned: status === 'reversed',
  };
};

/** Korapay's own references begin with `KPY-`. */
const paymentOf = (listed: PayIn): ReportPage['payments'][number] => {
  const { reference, payment_method, status } = listed;
  return {
    query: { by: reference.startsWith('KPY-') ? 'transaction' : 'our_reference', value: reference },
    ...(payment_method === VIRTUAL_ACCOUNT
      ? { origin: { kind: 'transfer', transferId: reference } as const, isReturned: status === 'reversed' }
      : checkoutPaymentOf(listed)),
  };
};

/**
 * Lists the payments that Korapay received, a page at a time; the cursor is the `pointer` of a page's last payment. Source: the page
 * "Pay-ins History API" of developers.korapay.com (`/docs/pay-ins-history-api`). Throws what the call throws, ProviderRefusal, and
 * OutcomeUnknown for a list that has more but does not say where.
 */
export const listPayments =
  (call: KorapayCall): LiveProvider['listPayments'] =>
  async ({ from, to, cursor }) => {
    const search = new URLSearchParams({
      currency: 'NGN',
      ...listSpan(from, to),
      limit: String(PAGE_SIZE),
      ...(cursor !== null && { starting_after: cursor }),
    });
    const answer = await call({ method: 'GET', path: `/pay-ins?${search}` });
    if (!answer.ok) throw refusalOf(answer);
    const listed = parseAnswer(payIns, answer.data ?? []);
    const next = hasMore(answer.body, answer.data) && listed.length > 0 ? (listed.at(-1)?.pointer ?? undefined) : null;
    if (next === undefined || (next !== null && next === cursor)) throw new OutcomeUnknown('The list does not go on.');
    return { payments: listed.filter(hasMoney).map(paymentOf), next };
  };

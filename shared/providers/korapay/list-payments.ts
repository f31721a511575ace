import * as z from 'zod/mini';
import { boolean, nonEmptyString } from '#shared/platform/kernel/schemas.ts';
import { parseKoboIfValid, parseNaira } from '#shared/providers/common/money.ts';
import { parseAnswer } from '#shared/providers/common/parse-answer.ts';
import { isMisspelled } from '#shared/providers/common/texts.ts';
import { OutcomeUnknown } from '#shared/providers/domain/errors.ts';
import type { ListedPayment } from '#shared/providers/domain/report.ts';
import type { LiveProvider, ReportPage } from '#shared/providers/ports.ts';
import type { KorapayCall } from './client.ts';
import { formatListSpan } from './dates.ts';
import { toProviderError } from './error-reply.ts';
import { classifyReferences, optionalText, referenceIfReadable, status } from './fields.ts';
import { queryAbout } from './refunds.ts';

/** Payments on a list page. Korapay's default is ten; its maximum is not documented. */
const PAGE_SIZE = 50;

const anything = z.optional(z.unknown());

/**
 * A row of the list. A reference, status or method that cannot be read counts as absent. An amount may be anything: a paid amount that is no number
 * counts as money.
 */
const payIn = z.object({
  reference: referenceIfReadable,
  payment_reference: referenceIfReadable,
  status: z.catch(status, undefined),
  amount: anything,
  amount_paid: anything,
  payment_method: z.catch(optionalText, undefined),
});
type PayIn = z.infer<typeof payIn>;

/**
 * Reads the pay-ins of an answer's `data`. Korapay's documentation shows a single pay-in in `data`, and `has_more` next to `data`. Integrators
 * have seen both `has_more` and a list `payins` inside `data`.
 */
const payIns = z.union([
  z.array(z.unknown()),
  z.pipe(
    z.object({ payins: z.array(z.unknown()) }),
    z.transform(({ payins }) => payins),
  ),
  z.pipe(
    z.looseObject({ pointer: z.unknown() }),
    z.transform((row) => [row]),
  ),
]);
const rowWithPointer = z.object({ pointer: nonEmptyString });
const pageWithMore = z.object({ has_more: boolean });

const hasMore = (body: unknown, data: unknown): boolean =>
  [body, data].some((place) => pageWithMore.safeParse(place).data?.has_more === true);

const PAYMENT_ACCOUNT = 'bank_transfer';
const VIRTUAL_ACCOUNT = 'virtual_bank_account';

/** Whether a row may be money for us. Most charges in the list were never paid, and card payments do not concern us. */
const hasMoney = ({ status, amount_paid, payment_method }: PayIn): boolean =>
  (status === 'success' || status === 'reversed' || Number(amount_paid ?? 0) !== 0) &&
  [PAYMENT_ACCOUNT, VIRTUAL_ACCOUNT].includes(payment_method ?? PAYMENT_ACCOUNT);

/**
 * Converts a row of a payment account. If the right amount was paid, the payment is the first part of a cumulative report and needs no look-up. If
 * another amount was paid, Korapay may have returned all or a part of it, and the list does not tell. So the row counts as returned. It is looked up,
 * except in one case: our books already have the whole paid amount, keep either nothing or the right amount of it, and have no fall.
 */
const toCheckoutPayment = (
  { status, amount, amount_paid }: PayIn,
  reference: string | undefined,
): Omit<ListedPayment, 'query'> => {
  const [paid, requested] = [amount_paid, amount].map((naira) => parseKoboIfValid(parseNaira, naira));
  const isReturned = status === 'reversed';
  // Without the amounts the payment is looked up.
  if (paid === undefined || requested === undefined) return { origin: null, isReturned };
  const hasTotal = reference !== undefined && !isReturned;
  if (paid !== requested)
    return { origin: null, isReturned: true, ...(hasTotal && { total: { reference, asked: requested, paid } }) };
  if (reference === undefined) return { origin: null, isReturned };
  return { origin: { kind: 'part', reference, reached: paid, falls: 0 }, isReturned };
};

const toPayment = (row: PayIn): ListedPayment | undefined => {
  const { ours, korapays, merchants } = classifyReferences(row);
  if (row.payment_method === VIRTUAL_ACCOUNT) {
    const transferId = korapays ?? merchants;
    if (transferId === undefined) return undefined;
    const isReturned = row.status === 'reversed';
    return { query: queryAbout(transferId), origin: { kind: 'transfer', transferId }, isReturned };
  }
  const value = ours ?? korapays ?? merchants;
  if (value === undefined) return undefined;
  // Only a look-up shows whether the payment is ours or a stranger's. A stranger's payment must not look like a lost notification, so the row
  // counts as returned.
  if (isMisspelled(value)) return { query: queryAbout(value), origin: null, isReturned: true };
  return { query: queryAbout(value), ...toCheckoutPayment(row, ours) };
};

/** Reads the payments of a page's rows, and counts the rows that may be money for us but name no payment to look up. */
const readPayments = (rows: readonly unknown[]): Pick<ReportPage, 'payments' | 'unreadable'> => {
  const payments: ListedPayment[] = [];
  let unreadable = 0;
  for (const row of rows) {
    const { success, data } = payIn.safeParse(row);
    if (success && !hasMoney(data)) continue;
    const payment = success ? toPayment(data) : undefined;
    if (payment) payments.push(payment);
    else unreadable += 1;
  }
  return { payments, unreadable };
};

/**
 * Lists the payments that Korapay received, one list page a call. The cursor is the `pointer` of a page's last payment. Source: the page
 * "Pay-ins History API" of developers.korapay.com (`/docs/pay-ins-history-api`).
 * @throws the errors of `call`, ProviderError, and OutcomeUnknown if the list has more rows but no pointer to them.
 */
export const listPayments =
  (call: KorapayCall): LiveProvider['listPayments'] =>
  async ({ from, to, cursor }) => {
    const search = new URLSearchParams({
      currency: 'NGN',
      ...formatListSpan(from, to),
      limit: String(PAGE_SIZE),
      ...(cursor !== null && { starting_after: cursor }),
    });
    const answer = await call({ method: 'GET', path: `/pay-ins?${search}` });
    if (!answer.ok) throw toProviderError(answer);
    const listed = parseAnswer(payIns, answer.data ?? []);
    // An unreadable row may have no pointer. If it is the last row, the next list page begins with it.
    const last = listed.map((row) => rowWithPointer.safeParse(row).data?.pointer).findLast(Boolean);
    const next = hasMore(answer.body, answer.data) && listed.length > 0 ? last : null;
    if (next === undefined || (next !== null && next === cursor))
      throw new OutcomeUnknown('The list does not say where its next page begins.');
    return { ...readPayments(listed), next };
  };

import * as z from 'zod/mini';
import { koboOfNaira } from '#shared/adapters/providers/common/money.ts';
import { refused } from '#shared/adapters/providers/common/refusals.ts';
import type { Kobo } from '#shared/domain/kernel/money.ts';
import { boolean, nonEmptyString } from '#shared/domain/kernel/schemas.ts';
import { OutcomeUnknown } from '#shared/domain/providers/errors.ts';
import type { LiveProvider, ReportPage } from '#shared/ports/providers.ts';
import { type AskKorapay, readAs } from './call.ts';
import { naira } from './charge.ts';
import { listSpan } from './dates.ts';
import { reasonOf } from './refusal.ts';
import { textIfAny } from './virtual-accounts.ts';

/** How many at once; the largest that Korapay allows is not documented, ten is its default. */
const PAGE = 50;

const payIn = z.object({
  reference: nonEmptyString,
  status: textIfAny,
  amount: naira,
  amount_paid: naira,
  payment_method: textIfAny,
  pointer: textIfAny,
});
type PayIn = z.infer<typeof payIn>;

/** Korapay's page shows one pay-in in `data` and `has_more` beside it; integrators see both in `data`, with a list `payins`. */
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

/** Whether it may be money of ours: nothing was paid into most charges that are listed, and cards are not our business. */
const isMoney = ({ status, amount_paid, payment_method }: PayIn): boolean =>
  (status === 'success' || status === 'reversed' || Number(amount_paid ?? 0) !== 0) &&
  [PAYMENT_ACCOUNT, VIRTUAL_ACCOUNT].includes(payment_method ?? PAYMENT_ACCOUNT);

/** Kobo of an amount in the list; undefined where there is none to read, which the look-up tells then. */
const listedKobo = (naira: number | string | null | undefined): Kobo | undefined => {
  try {
    return koboOfNaira(naira);
  } catch {
    return undefined;
  }
};

/**
 * A payment in the right amount is the first part of its total, and nothing more of it is to be asked. Of more or less than was asked
 * for, some may have been returned since, and the list does not report what was kept.
 */
const ofOnePayment = ({
  reference,
  status,
  amount,
  amount_paid,
}: PayIn): Omit<ReportPage['payments'][number], 'query'> => {
  const [paid, asked] = [listedKobo(amount_paid), listedKobo(amount)];
  if (paid === undefined || asked === undefined) return { origin: null, isReturned: status === 'reversed' };
  if (paid !== asked) return { origin: null, isReturned: true };
  return {
    origin: { kind: 'part', reference, reached: paid, falls: 0 },
    isReturned: status === 'reversed',
  };
};

/** Korapay's own references begin so. */
const paymentOf = (listed: PayIn): ReportPage['payments'][number] => {
  const { reference, payment_method, status } = listed;
  return {
    query: { by: reference.startsWith('KPY-') ? 'transaction' : 'our_reference', value: reference },
    ...(payment_method === VIRTUAL_ACCOUNT
      ? { origin: { kind: 'transfer', transferId: reference } as const, isReturned: status === 'reversed' }
      : ofOnePayment(listed)),
  };
};

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

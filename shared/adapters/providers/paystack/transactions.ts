import * as z from 'zod/mini';
import { koboIfValid, koboOf } from '#shared/adapters/providers/common/money.ts';
import { ZERO_KOBO } from '#shared/domain/kernel/money.ts';
import { count, nonEmptyString, text } from '#shared/domain/kernel/schemas.ts';
import { HOUR } from '#shared/domain/kernel/time.ts';
import type { Payee, PaymentReport, ReportedTransfer } from '#shared/domain/money/report.ts';
import { OutcomeUnknown } from '#shared/domain/providers/errors.ts';
import type { LiveProvider } from '#shared/ports/providers.ts';
import { isTransferChannel, queryOfCharge, VIRTUAL_ACCOUNT_CHANNEL } from './channels.ts';
import type { PaystackCall } from './client.ts';
import { referenceOfAddress } from './customer-address.ts';
import { idText, lenientText, timeOrNull } from './fields.ts';
import { dataOf, isUnknownReference } from './reply.ts';

const transaction = z.object({
  id: idText,
  status: text,
  reference: nonEmptyString,
  channel: z.catch(text, ''),
  currency: z.catch(text, 'NGN'),
  amount: z.optional(z.unknown()),
  requested_amount: z.optional(z.unknown()),
  fees: z.optional(z.unknown()),
  paid_at: timeOrNull,
  paidAt: timeOrNull,
  created_at: timeOrNull,
  createdAt: timeOrNull,
  // Both may be "", 0 or null (providers.md section 1.5).
  metadata: z.catch(z.nullable(z.object({ receiver_account_number: lenientText })), null),
  authorization: z.catch(
    z.nullable(
      z.object({ sender_name: lenientText, sender_bank: lenientText, receiver_bank_account_number: lenientText }),
    ),
    null,
  ),
  customer: z.catch(z.nullable(z.object({ email: lenientText })), null),
});
type Transaction = z.infer<typeof transaction>;

/** No money for us; the payment may still come. */
const NOTHING: PaymentReport = { money: [], state: 'open' };

/** Whom money is for. On a payment account our reference says it; on a virtual account its number, else its customer's address. */
const payeeOf = (of: Transaction, domain: string): Payee => {
  if (of.channel !== VIRTUAL_ACCOUNT_CHANNEL) return { by: 'our_reference', reference: of.reference };
  const accountNumber = of.authorization?.receiver_bank_account_number ?? of.metadata?.receiver_account_number;
  if (accountNumber) return { by: 'account_number', accountNumber };
  const reference = referenceOfAddress(of.customer?.email ?? '', domain);
  if (reference === undefined) throw new OutcomeUnknown('The transaction does not say whom it is for.');
  return { by: 'our_reference', reference };
};

/** The time of payment in milliseconds since the epoch; the time of creation when it is missing, which never makes a payment late. */
const paidAtOf = ({ paid_at, paidAt, created_at, createdAt }: Transaction): number => {
  const at = paid_at ?? paidAt ?? created_at ?? createdAt;
  if (at === null) throw new OutcomeUnknown('The transaction has no time.');
  return at;
};

const transferOf = (of: Transaction, outcome: 'accepted' | 'reversed', domain: string): ReportedTransfer => {
  if (of.currency !== 'NGN') throw new OutcomeUnknown('The transaction is not in naira.');
  return {
    kind: 'transfer',
    transferId: of.id,
    providerReference: of.reference,
    payee: payeeOf(of, domain),
    outcome,
    amount: koboOf(of.amount),
    asked: of.channel === VIRTUAL_ACCOUNT_CHANNEL ? undefined : koboIfValid(koboOf, of.requested_amount),
    fee: of.fees === null || of.fees === undefined ? ZERO_KOBO : koboOf(of.fees),
    paidAt: paidAtOf(of),
    senderName: of.authorization?.sender_name ?? null,
    senderBank: of.authorization?.sender_bank ?? null,
  };
};

const reportOf = (of: Transaction, domain: string): PaymentReport => {
  switch (of.status) {
    case 'success':
      return {
        money: [transferOf(of, 'accepted', domain)],
        state: of.channel === VIRTUAL_ACCOUNT_CHANNEL ? 'open' : 'complete',
      };
    case 'reversed':
      return { money: [transferOf(of, 'reversed', domain)], state: 'open' };
    default:
      // `abandoned` only means that nobody has paid yet. Whether a charge can still be paid after `failed`, which a wrong amount may cause,
      // is not confirmed. The account's expiry ends the checkout.
      return NOTHING;
  }
};

const PER_PAGE = 100;
/** Lists go by the time of creation. A payment account may be paid up to so many milliseconds later (providers.md section 1.3). */
const LONGEST_ACCOUNT_LIFE = 8 * HOUR;

const listed = z.object({
  reference: nonEmptyString,
  channel: text,
  id: z.catch(z.nullable(idText), null),
  status: z.catch(text, ''),
});
/** The statuses of money that came in, returned later or not. We request every status, because Paystack filters by one only. */
const WITH_MONEY = new Set(['success', 'reversed']);
const paging = z.catch(z.object({ pageCount: z.catch(z.nullable(count), null) }), {
  pageCount: null,
});

/** The number of the next page; null after the last one, which is the last by page count or, without a count, an empty one. */
const pageAfter = (page: number, pageCount: number | null, found: number): string | null => {
  const isLast = found === 0 || (pageCount !== null && page >= pageCount);
  return isLast ? null : String(page + 1);
};

/** Looks up a payment by its reference, and lists payments by time (providers.md section 1.4). Both throw ProviderRefusal, OutcomeUnknown and ProviderUnavailable. */
export const transactions = (
  call: PaystackCall,
  { customerEmailDomain }: { readonly customerEmailDomain: string },
): Pick<LiveProvider, 'lookUp' | 'listPayments'> => ({
  lookUp: async ({ by, value }) => {
    const reply = await call({ method: 'GET', path: `/transaction/verify/${encodeURIComponent(value)}` });
    if (!reply.ok && isUnknownReference(reply)) return 'unknown';
    const found = dataOf(reply, transaction);
    if (by === 'transaction' && !isTransferChannel(found.channel)) return NOTHING;
    return reportOf(found, customerEmailDomain);
  },
  listPayments: async ({ from, to, cursor }) => {
    const page = cursor === null ? 1 : Number(cursor);
    const search = new URLSearchParams({
      from: new Date(from - LONGEST_ACCOUNT_LIFE).toISOString(),
      to: new Date(to).toISOString(),
      perPage: String(PER_PAGE),
      page: String(page),
    });
    const reply = await call({ method: 'GET', path: `/transaction?${search}` });
    const found = dataOf(reply, z.array(z.unknown()));
    const { pageCount } = paging.parse(reply.ok ? reply.meta : undefined);
    return {
      payments: found.flatMap((one) => {
        const { success, data } = listed.safeParse(one);
        const isMoney = success && WITH_MONEY.has(data.status);
        const query = isMoney ? queryOfCharge(data.channel, data.reference) : undefined;
        if (!query || !data) return [];
        const origin = data.id === null ? null : ({ kind: 'transfer', transferId: data.id } as const);
        return [{ query, origin, isReturned: data.status === 'reversed' }];
      }),
      next: pageAfter(page, pageCount, found.length),
    };
  },
});

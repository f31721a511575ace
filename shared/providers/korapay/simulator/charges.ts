import * as z from 'zod';
import { payerEmail } from '#shared/providers/common/simulator/email.ts';
import type { Account, Incoming, Ledger } from '#shared/providers/common/simulator/ledger.ts';
import { computeFee, type Kobo, parseNaira } from '#shared/providers/common/simulator/money.ts';
import { type Answer, type Call, type Route, slicePage } from '#shared/providers/common/simulator/wire.ts';
import { invalidData, korapayError, korapaySuccess } from './envelope.ts';
import type { KorapayPreference } from './preference.ts';
import { bankTransferView, chargeView, type KorapayCharge, lagosDate, payInView } from './shapes.ts';

const PAYMENT_ACCOUNT_LIFETIME_MS = 30 * 60_000;
const MIN_NAIRA = 100;

const chargeRequest = z.object({
  reference: z.string().min(8),
  amount: z.number().min(MIN_NAIRA).max(10_000_000),
  currency: z.literal('NGN'),
  customer: z.object({ email: payerEmail, name: z.string().nullish() }),
  account_name: z.string().optional(),
  notification_url: z.url({ protocol: /^https?$/ }).optional(),
  merchant_bears_cost: z.boolean().default(false),
  narration: z.string().default(''),
});

/** Opens a charge with a payment account. `number` is the charge's number in this simulator. */
const openCharge = (
  ledger: Ledger,
  request: z.infer<typeof chargeRequest>,
  amount: Kobo,
  number: number,
  now: number,
): KorapayCharge => {
  // A fee of 1 %, and 7.5 % tax on it, which fits the sample in providers.md section 3.3.
  const fee = computeFee(amount, 100);
  const vat = computeFee(fee, 750);
  const expected = request.merchant_bears_cost ? amount : amount + fee + vat;
  return {
    reference: request.reference,
    paymentReference: `KPY-PAY-${number}`,
    account: ledger.open({
      provider: 'korapay',
      kind: 'payment',
      reference: request.reference,
      name: request.account_name ?? 'Simshop',
      bankName: 'wema',
      bankCode: '035',
      toPay: expected,
      expiresAt: now + PAYMENT_ACCOUNT_LIFETIME_MS,
    }),
    amount,
    expected,
    fee,
    vat,
    merchantBearsCost: request.merchant_bears_cost,
    customer: { name: request.customer.name ?? null, email: request.customer.email },
    narration: request.narration,
    notificationUrl: request.notification_url,
    createdAt: now,
    parts: [],
    refunds: [],
    hasSucceeded: false,
    reversed: null,
    excess: null,
  };
};

/** Creates the charge of a transfer into a static account. */
const buildTransferCharge = (account: Account, incoming: Incoming, number: number): KorapayCharge => ({
  reference: `KPY-PAY-${number}`,
  paymentReference: `KPY-PAY-${number}`,
  account,
  amount: incoming.amount,
  expected: incoming.amount,
  fee: computeFee(incoming.amount, 100),
  vat: 0,
  merchantBearsCost: true,
  customer: { name: account.name, email: null },
  narration: 'Transfer',
  notificationUrl: undefined,
  createdAt: incoming.paidAt,
  parts: [{ incoming, accepted: incoming.amount }],
  refunds: [],
  hasSucceeded: true,
  reversed: null,
  excess: null,
});

const createCharge = (charges: KorapayCharge[], ledger: Ledger, { body }: Call, now: number): Answer => {
  const parsed = chargeRequest.safeParse(body);
  if (!parsed.success) return invalidData(parsed.error);
  const request = parsed.data;
  const amount = parseNaira(request.amount);
  if (amount === undefined) return korapayError(400, 'Invalid request data', { amount: { message: 'invalid' } });
  if (charges.some(({ reference }) => reference === request.reference)) {
    return korapayError(400, 'Duplicate payment reference');
  }
  const charge = openCharge(ledger, request, amount, charges.length + 1, now);
  charges.push(charge);
  return korapaySuccess('Bank transfer initiated successfully', bankTransferView(charge));
};

const fetchCharge = (
  charges: readonly KorapayCharge[],
  eitherReference: string,
  now: number,
  preference: KorapayPreference,
): Answer => {
  const charge = charges.find(({ reference, paymentReference }) =>
    [reference, paymentReference].includes(eitherReference),
  );
  return charge
    ? korapaySuccess('Charge retrieved successfully', chargeView(charge, now, preference))
    : korapayError(404, 'Charge not found');
};

const listAccountCharges = (charges: readonly KorapayCharge[], { query }: Call, now: number): Answer => {
  const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 10)];
  if (!(page >= 1 && limit >= 1 && limit <= 100)) return korapayError(400, 'Invalid request data');
  const own = charges.filter(
    ({ account }) => account.kind === 'static' && account.number === query.get('account_number'),
  );
  const { items, total, pages } = slicePage(own.toReversed(), (page - 1) * limit, limit);
  return korapaySuccess('Virtual bank account transactions retrieved successfully', {
    transactions: items.map((charge) => chargeView(charge, now)),
    pagination: { page, total, pageCount: pages, totalPages: pages },
  });
};

/**
 * Lists pay-ins. Source: the page "Pay-ins History API" of developers.korapay.com. A request may write a date as `2026-11-22-13-53-49`. This
 * simulator takes it as Lagos time (`lagosDate`).
 */
const listPayIns = (
  charges: readonly KorapayCharge[],
  { query }: Call,
  now: number,
  preference: KorapayPreference,
): Answer => {
  const readDate = (name: string): string | undefined =>
    query.get(name)?.replace(/^(\d+-\d+-\d+)-(\d+)-(\d+)-(\d+)$/, '$1 $2:$3:$4');
  const [from = '', to = '9999'] = [readDate('date_from'), readDate('date_to')];
  const limit = Number(query.get('limit') ?? 10);
  if (!(limit >= 1 && limit <= 100)) return korapayError(400, 'Invalid request data');
  const all = charges
    .filter(({ createdAt }) => lagosDate(createdAt) >= from && lagosDate(createdAt) <= to)
    .map((charge) => payInView(charge, now, preference))
    .toReversed();
  const start = all.findIndex(({ pointer }) => pointer === query.get('starting_after')) + 1;
  const page = all.slice(start, start + limit);
  return korapaySuccess('Pay-ins retrieved', { has_more: start + limit < all.length, payins: page });
};

/** Simulates payment accounts and charges (providers.md sections 3.3 and 3.4). */
export const korapayCharges = (ledger: Ledger, preference: () => KorapayPreference, now: () => number) => {
  const charges: KorapayCharge[] = [];

  const routes: readonly Route[] = [
    ['GET', /^\/virtual-bank-account\/transactions$/, (call) => listAccountCharges(charges, call, now())],
    ['POST', /^\/charges\/bank-transfer$/, (call) => createCharge(charges, ledger, call, now())],
    ['GET', /^\/charges\/([^/]+)$/, (_, reference = '') => fetchCharge(charges, reference, now(), preference())],
    ['GET', /^\/pay-ins$/, (call) => listPayIns(charges, call, now(), preference())],
  ];
  return {
    routes,
    /** Finds the charge of a payment account. */
    findByAccount: (account: Account): KorapayCharge | undefined =>
      charges.find((charge) => charge.account === account),
    /** Finds the charge that received a transfer. */
    findByTransfer: (transferId: string): KorapayCharge | undefined =>
      charges.find(({ parts }) => parts.some(({ incoming }) => incoming.transferId === transferId)),
    /** Adds the charge of a transfer into a static account. */
    addTransfer: (account: Account, incoming: Incoming): KorapayCharge => {
      const charge = buildTransferCharge(account, incoming, charges.length + 1);
      charges.push(charge);
      return charge;
    },
  };
};

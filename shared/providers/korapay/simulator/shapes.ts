import type { Account, Incoming } from '#shared/providers/common/simulator/ledger.ts';
import { type Kobo, nairaNumber, nairaText, sumAmounts } from '#shared/providers/common/simulator/money.ts';
import type { ReturnStatus } from '#shared/providers/common/simulator/provider.ts';
import { KORAPAY_DEFAULT, type KorapayPreference } from './preference.ts';
import { listReferencesView, referencesView } from './references.ts';

/** A transfer and its accepted amount. Korapay returned the rest at once. */
export interface KorapayPart {
  readonly incoming: Incoming;
  readonly accepted: Kobo;
}

/** A refund that has ended, with the merchant's reference of it. A failed one paid nothing back. */
export interface KorapayRefund {
  readonly reference: string;
  readonly amount: Kobo;
  readonly status: 'success' | 'failed';
  readonly refundedAt: number;
}

/** A charge, which the merchant or a transfer to a static account opened. Answers show its totals and never single transfers. */
export interface KorapayCharge {
  readonly reference: string;
  readonly paymentReference: string;
  readonly account: Account;
  readonly amount: Kobo;
  readonly expected: Kobo;
  readonly fee: Kobo;
  readonly vat: Kobo;
  readonly merchantBearsCost: boolean;
  readonly customer: { readonly name: string | null; readonly email: string | null };
  readonly narration: string;
  readonly notificationUrl: string | undefined;
  readonly createdAt: number;
  readonly parts: KorapayPart[];
  readonly refunds: KorapayRefund[];
  hasSucceeded: boolean;
  /** The way in which answers show that all accepted money was returned later: the status, or the amounts of a success. Null if it was not returned. */
  reversed: 'status' | 'amounts' | null;
  /** The progress of returning an excess; null while the excess is kept. */
  excess: ReturnStatus | null;
}

const HOUR_MS = 60 * 60 * 1000;

/** Formats a date without a zone. Korapay does not document the zone; here it is Lagos time, an hour ahead of UTC. */
export const lagosDate = (at: number): string => new Date(at + HOUR_MS).toISOString().slice(0, 19).replace('T', ' ');

/** Shows a static account (providers.md section 3.2). */
export const virtualAccountView = (
  account: Account,
  customer: { readonly name: string; readonly email?: string | undefined },
  createdAt: number,
) => ({
  account_name: account.name,
  account_number: account.number,
  bank_code: account.bankCode,
  bank_name: account.bankName,
  account_reference: account.reference,
  unique_id: `KPY-VA-${account.number}`,
  account_status: 'active',
  created_at: new Date(createdAt).toISOString(),
  currency: 'NGN',
  customer,
});

/** Shows a payment account (providers.md section 3.3). The payer has to send `amount_expected`. */
export const bankTransferView = (charge: KorapayCharge) => ({
  currency: 'NGN',
  amount: nairaNumber(charge.amount),
  amount_expected: nairaNumber(charge.expected),
  fee: nairaNumber(charge.fee),
  vat: nairaNumber(charge.vat),
  reference: charge.reference,
  payment_reference: charge.paymentReference,
  status: 'processing',
  narration: charge.narration,
  merchant_bears_cost: charge.merchantBearsCost,
  bank_account: {
    account_name: charge.account.name,
    account_number: charge.account.number,
    bank_name: charge.account.bankName,
    bank_code: charge.account.bankCode,
    expiry_date_in_utc: new Date(charge.account.expiresAt ?? 0).toISOString(),
  },
  customer: charge.customer,
});

const sumPaid = ({ parts }: KorapayCharge): Kobo => sumAmounts(parts.map(({ incoming }) => incoming.amount));
const sumAccepted = ({ parts, reversed }: KorapayCharge): Kobo =>
  reversed === 'amounts' ? 0 : sumAmounts(parts.map(({ accepted }) => accepted));
/** Sums all successful refunds. */
const sumRefunded = ({ refunds }: KorapayCharge): Kobo =>
  sumAmounts(refunds.map(({ status, amount }) => (status === 'success' ? amount : 0)));

const findStatus = ({ account, hasSucceeded, reversed }: KorapayCharge, now: number): string => {
  if (reversed === 'status') return 'reversed';
  if (hasSucceeded) return 'success';
  return account.expiresAt !== null && now >= account.expiresAt ? 'expired' : 'processing';
};

/** Shows the sender of a transfer. */
export const payerView = ({ senderName, senderBank }: Incoming) => ({
  account_name: senderName,
  account_number: '002****0331',
  bank_name: senderBank,
});

/**
 * Shows the returned money. If everything was returned later, it is the sum of all transfers. Otherwise it is the part of the last transfer that was
 * returned at once, or later as an excess, and the refunds that look-ups show.
 */
const reversalView = (charge: KorapayCharge, { incoming, accepted }: KorapayPart, refunded: Kobo) => {
  const returnedOfLast = incoming.amount - (charge.excess ? charge.expected : accepted) + refunded;
  const returned = charge.reversed ? sumPaid(charge) : returnedOfLast;
  return (
    returned > 0 && {
      reversal: {
        status: charge.reversed ? 'success' : (charge.excess ?? 'success'),
        amount: nairaText(returned),
        destination: 'payer_bank_account',
        currency: 'NGN',
      },
    }
  );
};

/** Shows whether the last transfer was more or less than expected (providers.md section 3.6). */
const eventView = ({ expected }: KorapayCharge, { incoming }: KorapayPart) =>
  incoming.amount !== expected && {
    payment_event: incoming.amount > expected ? 'overpayment' : 'underpayment',
    message: 'The amount paid differs from the amount expected.',
  };

const bankAccountView = (charge: KorapayCharge, last: KorapayPart | undefined) => ({
  virtual_bank_account: {
    account_name: charge.account.name,
    account_number: charge.account.number,
    account_reference: charge.account.reference,
    bank_name: charge.account.bankName,
    permanent: true,
    ...(last && { payer_bank_account: payerView(last.incoming) }),
  },
});

const transferView = (charge: KorapayCharge, last: KorapayPart | undefined, refunded: Kobo) => ({
  bank_transfer: last
    ? {
        payer_bank_account: payerView(last.incoming),
        ...eventView(charge, last),
        ...reversalView(charge, last, refunded),
      }
    : {},
});

/** Shows a look-up (providers.md section 3.4). Amounts are numbers or texts. The sums cover all transfers; other fields concern the last one. */
export const chargeView = (charge: KorapayCharge, now: number, preference: KorapayPreference = KORAPAY_DEFAULT) => {
  const last = charge.parts.at(-1);
  const refunded = preference.refundsShow === 'amounts' ? sumRefunded(charge) : 0;
  const isTransferShown = charge.account.kind === 'payment' || charge.reversed === 'amounts' || refunded > 0;
  return {
    ...referencesView(charge, preference.lookUpReferences),
    status: findStatus(charge, now),
    amount: nairaNumber(charge.amount),
    amount_paid: nairaText(sumPaid(charge)),
    amount_accepted: nairaText(Math.max(0, sumAccepted(charge) - refunded)),
    fee: nairaNumber(charge.fee),
    vat: nairaNumber(charge.vat),
    currency: 'NGN',
    description: charge.narration,
    customer: charge.customer,
    metadata: null,
    ...(charge.account.kind === 'static' ? bankAccountView(charge, last) : {}),
    ...(isTransferShown ? transferView(charge, last, refunded) : {}),
  };
};

/** Shows a row of the list of pay-ins. The next list page begins after its `pointer`. */
export const payInView = (charge: KorapayCharge, now: number, { listReferences }: KorapayPreference) => {
  const last = charge.parts.at(-1);
  return {
    pointer: `cus_${charge.paymentReference}`,
    ...listReferencesView(charge, listReferences),
    status: findStatus(charge, now),
    amount: nairaText(charge.amount),
    amount_paid: nairaText(sumPaid(charge)),
    amount_expected: nairaText(charge.expected),
    fee: nairaText(charge.fee),
    currency: 'NGN',
    description: charge.narration,
    payment_method: charge.account.kind === 'static' ? 'virtual_bank_account' : 'bank_transfer',
    message: last ? 'Successful' : null,
    date_created: lagosDate(charge.createdAt),
    date_completed: last ? lagosDate(last.incoming.paidAt) : null,
  };
};

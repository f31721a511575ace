import { createHmac } from 'node:crypto';
import type { Incoming } from '#infra/local/twin/ledger.ts';
import { type Kobo, nairaNumber } from '#infra/local/twin/money.ts';
import type { Notification } from '#infra/local/twin/notifier.ts';
import { type KorapayCharge, lagosDate, payerView } from './shapes.ts';

/* Korapay's notifications (providers.md section 3.5). */

const signed = (charge: KorapayCharge, secret: string, write: (extra: Kobo) => unknown): Notification => ({
  secret,
  url: charge.notificationUrl,
  body: (extra) => JSON.stringify({ event: 'charge.success', data: write(extra) }),
  // providers.md section 3.5: over the `data` object alone, in compact form.
  headers: (body, key) => {
    const { data } = JSON.parse(body) as { data: unknown };
    return { 'x-korapay-signature': createHmac('sha256', key).update(JSON.stringify(data)).digest('hex') };
  },
});

/** providers.md section 3.5: a transfer to a static account. The time has no zone. */
export const staticCredit = (charge: KorapayCharge, incoming: Incoming, secret: string): Notification =>
  signed(charge, secret, (extra) => ({
    fee: nairaNumber(charge.fee),
    amount: nairaNumber(incoming.amount + extra),
    status: 'success',
    currency: 'NGN',
    reference: charge.reference,
    payment_reference: charge.paymentReference,
    transaction_date: lagosDate(incoming.paidAt),
    virtual_bank_account_details: {
      payer_bank_account: payerView(incoming),
      virtual_bank_account: {
        bank_name: charge.account.bankName,
        permanent: true,
        account_name: charge.account.name,
        account_number: charge.account.number,
        account_reference: charge.account.reference,
      },
    },
  }));

/** providers.md section 3.5: a payment. The amount is the one that was asked for, whatever was paid or kept. */
export const paymentCredit = (charge: KorapayCharge, secret: string): Notification =>
  signed(charge, secret, (extra) => ({
    reference: charge.reference,
    currency: 'NGN',
    amount: nairaNumber(charge.amount + extra),
    fee: nairaNumber(charge.fee),
    status: 'success',
    payment_method: 'bank_transfer',
    payment_reference: charge.paymentReference,
  }));

import { createHmac } from 'node:crypto';
import type { Incoming } from '#shared/providers/common/simulator/ledger.ts';
import { type Kobo, nairaNumber } from '#shared/providers/common/simulator/money.ts';
import type { Notification } from '#shared/providers/common/simulator/provider.ts';
import type { KorapayPreference } from './preference.ts';
import { referencesView } from './references.ts';
import { type KorapayCharge, type KorapayRefund, lagosDate, payerView } from './shapes.ts';

/* Korapay's notifications (providers.md section 3.5). */

/** A signed notification. `url` is where it goes: undefined for the address in the dashboard, null for nowhere. */
const signNotification = (
  event: string,
  url: string | null | undefined,
  secret: string,
  write: (extra: Kobo) => unknown,
): Notification => ({
  secret,
  url,
  body: (extra) => JSON.stringify({ event, data: write(extra) }),
  // providers.md section 3.5: over the `data` object alone, in compact form.
  headers: (body, key) => {
    const { data } = JSON.parse(body) as { data: unknown };
    return { 'x-korapay-signature': createHmac('sha256', key).update(JSON.stringify(data)).digest('hex') };
  },
});

/** providers.md section 3.5: a transfer to a static account, to the address in the dashboard. The time has no zone. */
export const staticCredit = (charge: KorapayCharge, incoming: Incoming, secret: string): Notification =>
  signNotification('charge.success', undefined, secret, (extra) => ({
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

/** Where the notifications of a payment go. Without an address of its own there are none, unless the dashboard's is for all. */
const chooseUrl = (charge: KorapayCharge, { chargesNotify }: KorapayPreference): string | null | undefined =>
  chargesNotify === 'dashboard' ? undefined : (charge.notificationUrl ?? null);

/** providers.md section 3.5: a payment. The amount is the one that was asked for, whatever was paid or kept. */
export const paymentCredit = (charge: KorapayCharge, secret: string, preference: KorapayPreference): Notification =>
  signNotification('charge.success', chooseUrl(charge, preference), secret, (extra) => ({
    fee: nairaNumber(charge.fee),
    amount: nairaNumber(charge.amount + extra),
    status: 'success',
    currency: 'NGN',
    payment_method: 'bank_transfer',
    ...referencesView(charge, preference.notificationReferences),
  }));

/** providers.md section 3.5: a refund of a payment, to the address in the dashboard. */
export const refundNotification = (
  charge: KorapayCharge,
  { reference, amount, status, refundedAt }: KorapayRefund,
  secret: string,
  { notificationReferences }: KorapayPreference,
): Notification =>
  signNotification(`refund.${status}`, undefined, secret, (extra) => ({
    amount: nairaNumber(amount + extra),
    status,
    currency: 'NGN',
    reference,
    payment_reference: notificationReferences.startsWith('korapays') ? charge.paymentReference : charge.reference,
    refund_date: new Date(refundedAt).toISOString(),
    completion_date: new Date(refundedAt).toISOString(),
  }));

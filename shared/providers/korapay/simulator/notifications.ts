import { createHmac } from 'node:crypto';
import type { Incoming } from '#shared/providers/common/simulator/ledger.ts';
import { type Kobo, nairaNumber } from '#shared/providers/common/simulator/money.ts';
import type { Notification } from '#shared/providers/common/simulator/provider.ts';
import type { KorapayPreference } from './preference.ts';
import { referencesView } from './references.ts';
import { type KorapayCharge, type KorapayRefund, lagosDate, payerView } from './shapes.ts';

/* Simulates Korapay's notifications (providers.md section 3.5). */

/** Creates a signed notification. `url`: undefined means the address in the dashboard, null means that it is not sent. */
const signNotification = (
  event: string,
  url: string | null | undefined,
  secret: string,
  write: (extra: Kobo) => unknown,
): Notification => ({
  secret,
  url,
  body: (extra) => JSON.stringify({ event, data: write(extra) }),
  // Korapay signs only the `data` object, in compact form (providers.md section 3.5).
  headers: (body, key) => {
    const { data } = JSON.parse(body) as { data: unknown };
    return { 'x-korapay-signature': createHmac('sha256', key).update(JSON.stringify(data)).digest('hex') };
  },
});

/** Notifies the address in the dashboard of a transfer to a static account (providers.md section 3.5). The time has no zone. */
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

/**
 * Chooses the address for the notifications of a charge. If `chargesNotify` is `dashboard`, it is the address in the dashboard (undefined). Otherwise
 * it is the charge's own `notification_url`; without that, no notification is sent (null).
 */
const chooseUrl = (charge: KorapayCharge, { chargesNotify }: KorapayPreference): string | null | undefined =>
  chargesNotify === 'dashboard' ? undefined : (charge.notificationUrl ?? null);

/** Notifies of a payment (providers.md section 3.5). The amount is always the requested one, and not the paid or kept one. */
export const paymentCredit = (charge: KorapayCharge, secret: string, preference: KorapayPreference): Notification =>
  signNotification('charge.success', chooseUrl(charge, preference), secret, (extra) => ({
    fee: nairaNumber(charge.fee),
    amount: nairaNumber(charge.amount + extra),
    status: 'success',
    currency: 'NGN',
    payment_method: 'bank_transfer',
    ...referencesView(charge, preference.notificationReferences),
  }));

/** Notifies the address in the dashboard of a refund (providers.md section 3.5). */
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

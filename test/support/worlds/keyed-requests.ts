import { PROVIDERS } from '#shared/providers/domain/names.ts';
/* The requests of a merchant under an Idempotency-Key. */

export const KEY = { 'idempotency-key': 'order-2026-11-20-0042' };
export const CHECKOUT = { amount: 12_000, payer_email: 'tunde.bakare@example.com' };
export const CUSTOMER = {
  customer_name: 'Amara Okonkwo',
  customer_phone: '+2348031234567',
  customer_email: 'amara.okonkwo@example.com',
  banks: [...PROVIDERS],
};

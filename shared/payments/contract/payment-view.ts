import type { PaymentSummary } from '#shared/payments/domain/payment.ts';
import { nairaFromKobo } from '#shared/platform/kernel/money.ts';
import { isoMicros } from '#shared/platform/kernel/time.ts';

/** Renders a payment for answers and webhook bodies: amounts in naira, times in ISO 8601. */
export const paymentView = (p: PaymentSummary) => ({
  id: p.id,
  amount: nairaFromKobo(p.amount),
  fee: nairaFromKobo(p.fee),
  outcome: p.outcome,
  paid_at: isoMicros(p.paidAt),
  late: p.late,
  sender_name: p.senderName,
  sender_bank: p.senderBank,
  provider: p.provider,
  provider_reference: p.providerReference,
});

import type { Payment } from '#shared/payments/domain/payment.ts';
import { ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import type { PaymentOrigin } from '#shared/providers/domain/source.ts';

/** The sender of a simulated payment that names none. */
const SANDBOX_SENDER = { name: 'Adaeze Okafor', bank: 'Sandbox Bank' } as const;

/** What makes a simulated payment unique: its own id. */
export const sandboxOrigin = (id: string): PaymentOrigin => ({ kind: 'transfer', transferId: id });

/** A simulated transfer as a provider would report it: without a fee, from the sender that the request names. */
export const sandboxMoney = (
  { senderName, senderBank }: Pick<Payment, 'senderName' | 'senderBank'>,
  paid: Pick<Payment, 'providerReference' | 'paidAt'>,
) => ({
  ...paid,
  fee: ZERO_KOBO,
  senderName: senderName ?? SANDBOX_SENDER.name,
  senderBank: senderBank ?? SANDBOX_SENDER.bank,
});

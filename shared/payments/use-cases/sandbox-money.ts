import type { Payment } from '#shared/payments/domain/payment.ts';
import { ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import type { PaymentOrigin } from '#shared/providers/domain/source.ts';

/** The sender of a simulated payment if the request names none. */
const SANDBOX_SENDER = { name: 'Adaeze Okafor', bank: 'Sandbox Bank' } as const;

/** Builds the origin of a simulated payment from its id, which makes it unique. */
export const sandboxOrigin = (id: string): PaymentOrigin => ({ kind: 'transfer', transferId: id });

/** Builds a simulated transfer as a provider would report it, without a fee. */
export const sandboxMoney = (
  { senderName, senderBank }: Pick<Payment, 'senderName' | 'senderBank'>,
  paid: Pick<Payment, 'providerReference' | 'paidAt'>,
) => ({
  ...paid,
  fee: ZERO_KOBO,
  senderName: senderName ?? SANDBOX_SENDER.name,
  senderBank: senderBank ?? SANDBOX_SENDER.bank,
});

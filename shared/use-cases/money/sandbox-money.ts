import { ZERO_KOBO } from '#shared/domain/kernel/money.ts';
import type { Payment } from '#shared/domain/money/payment.ts';

/** Who pays in a simulation that names no sender. */
const SANDBOX_SENDER = { name: 'Adaeze Okafor', bank: 'Sandbox Bank' } as const;

/** A simulated transfer as a provider would report it: without a fee, from the sender that the request names. */
export const sandboxMoney = (
  { senderName, senderBank }: Pick<Payment, 'senderName' | 'senderBank'>,
  of: Pick<Payment, 'providerReference' | 'paidAt'>,
) => ({
  ...of,
  fee: ZERO_KOBO,
  senderName: senderName ?? SANDBOX_SENDER.name,
  senderBank: senderBank ?? SANDBOX_SENDER.bank,
});

import * as z from 'zod/mini';
import { checkoutReference, idSchema } from '#shared/domain/kernel/ids.ts';
import { mode } from '#shared/domain/kernel/mode.ts';
import { kobo } from '#shared/domain/kernel/money.ts';
import { boolean, millis, nonEmptyString, text, textOrNull } from '#shared/domain/kernel/schemas.ts';
import { providerName } from '#shared/domain/providers/provider.ts';

/** `rejected`: the provider sent it back on arrival. `reversed`: accepted first, sent back later (api.md section 4). */
const paymentOutcome = z.enum(['accepted', 'rejected', 'reversed']);

/** What a payment landed on. */
const paymentOwner = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('checkout'), reference: checkoutReference }),
  z.object({ kind: z.literal('virtual_account'), id: idSchema('va') }),
]);
export type PaymentOwner = z.infer<typeof paymentOwner>;

/** What the owner of a payment is called: a checkout's reference or a virtual account's id, of which no two are alike. */
export const nameOfOwner = (owner: PaymentOwner): string => (owner.kind === 'checkout' ? owner.reference : owner.id);

/** A transfer as its sender and the provider describe it, before we decide what it means. */
export const landing = z.object({
  /** The provider's own id of the transfer: with mode and provider, what makes a payment unique. */
  transferId: nonEmptyString,
  providerReference: text,
  amount: kobo,
  fee: kobo,
  paidAt: millis,
  senderName: textOrNull,
  senderBank: textOrNull,
});
export type Landing = z.infer<typeof landing>;

/** A landing that was recorded. */
export const payment = z.extend(landing, {
  id: idSchema('pay'),
  mode,
  businessId: idSchema('biz'),
  provider: providerName,
  owner: paymentOwner,
  outcome: paymentOutcome,
  /** The provider's time of payment is after the checkout's expiry, however early or late the news came. */
  late: boolean,
  recordedAt: millis,
  /** Of what was told as sent back: the id under which the provider told the same a second time, of which nobody was told. */
  toldAgainAs: z.optional(nonEmptyString),
});
export type Payment = z.infer<typeof payment>;

import * as z from 'zod/mini';
import { addKobo, type Kobo, kobo, ZERO_KOBO } from '#shared/domain/kernel/money.ts';
import { nonEmptyString } from '#shared/domain/kernel/schemas.ts';

/** Money that a provider paid back to its sender, under the provider's own id of the refund: a fact, whatever a look-up shows. */
export const refund = z.object({
  id: nonEmptyString,
  amount: kobo,
  /** The look-up that first showed the money left it out already. Absent: it did not. */
  isLeftOut: z.optional(z.literal(true)),
});
export type Refund = z.infer<typeof refund>;

/** The refunds of one source of money, each once. */
export const refunds = z.array(refund);

/** The refunds with another one; the same list where that one is known already. */
export const withRefund = (known: readonly Refund[], added: Refund | undefined): readonly Refund[] =>
  added === undefined || known.some(({ id }) => id === added.id) ? known : [...known, added];

/**
 * The refund as it is noted of money that was first recorded as `recorded` (kobo). A provider takes the amount that was asked for and no
 * other: where this is what was asked for less the refund, the first look-up came after the refund, and nothing is taken out.
 */
export const asNoted = (
  made: Refund | undefined,
  { asked, recorded }: { readonly asked: Kobo | undefined; readonly recorded: Kobo },
): Refund | undefined =>
  made !== undefined && asked !== undefined && recorded + made.amount === asked ? { ...made, isLeftOut: true } : made;

/** Kobo of all refunds together that have to be taken out. */
export const totalRefunded = (known: readonly Refund[]): Kobo =>
  known.reduce((sum, { amount, isLeftOut }) => (isLeftOut ? sum : addKobo(sum, amount)), ZERO_KOBO);

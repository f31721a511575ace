import * as z from 'zod/mini';
import { addKobo, type Kobo, kobo, subtractDownToZero, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { nonEmptyString } from '#shared/platform/kernel/schemas.ts';

/** Money that a provider paid back to its sender. `id` is the provider's own id of the refund. A refund counts even if no look-up shows it. */
export const refund = z.object({
  id: nonEmptyString,
  amount: kobo,
});
export type Refund = z.infer<typeof refund>;

/** The refunds of one source of money, without duplicates. */
export const refunds = z.array(refund);

/** Adds a refund. Returns the same list if the refund is known already. */
export const addRefund = (known: readonly Refund[], added: Refund | undefined): readonly Refund[] =>
  added === undefined || known.some(({ id }) => id === added.id) ? known : [...known, added];

/** Sums the refunds, in kobo. */
const sumRefunds = (known: readonly Refund[]): Kobo =>
  known.reduce((sum, { amount }) => addKobo(sum, amount), ZERO_KOBO);

/** Computes the refunded kobo that still have to be subtracted: all refunds minus `shownAmount`, which look-ups have already subtracted. */
export const sumUnseenRefunds = (known: readonly Refund[] = [], shownAmount: Kobo = ZERO_KOBO): Kobo =>
  subtractDownToZero(sumRefunds(known), shownAmount);

import * as z from 'zod/mini';
import { addKobo, type Kobo, kobo, subtractDownToZero, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { nonEmptyString } from '#shared/platform/kernel/schemas.ts';

/** Money that a provider paid back to its sender, under the provider's own id of the refund: a fact, whatever a look-up shows. */
export const refund = z.object({
  id: nonEmptyString,
  amount: kobo,
});
export type Refund = z.infer<typeof refund>;

/** The refunds of one source of money, each once. */
export const refunds = z.array(refund);

/** The refunds with another one; the same list where that one is known already. */
export const addRefund = (known: readonly Refund[], added: Refund | undefined): readonly Refund[] =>
  added === undefined || known.some(({ id }) => id === added.id) ? known : [...known, added];

/** Kobo of all refunds together. */
const sumRefunds = (known: readonly Refund[]): Kobo =>
  known.reduce((sum, { amount }) => addKobo(sum, amount), ZERO_KOBO);

/** Kobo of refunds that have to be taken out of the money: all, less `shown`, which look-ups have left out of it by themselves. */
export const unseenRefunds = (known: readonly Refund[] = [], shownAmount: Kobo = ZERO_KOBO): Kobo =>
  subtractDownToZero(sumRefunds(known), shownAmount);

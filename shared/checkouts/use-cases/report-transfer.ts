import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import type { PageUses } from '#shared/checkouts/ports.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { type NoteSentDeps, noteSent } from './note-sent.ts';
import { type RequeryCheckoutDeps, requeryInTurn } from './requery-checkout.ts';
import { type FindLinkedDeps, findLinked } from './show-to-payer.ts';

export interface ReportTransferDeps extends FindLinkedDeps, RequeryCheckoutDeps, NoteSentDeps {
  readonly pageUses: PageUses;
}

/** Waits for work whose refusal is nothing to a payer. */
const unlessRefused = async (work: Promise<void>): Promise<void> => {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
};

/**
 * The payer of a checkout says that the money was sent. That is written down the first time, and its provider is asked, so that a lost notification costs the payer seconds: within
 * the turn of a requery, at most twenty times in the checkout's life, and as far as the business's quota goes. Beyond these, and when
 * the provider does not answer, the checkout stays as it is, and the page goes on asking us.
 * @throws the refusal not_found.
 */
export const reportTransfer = async (
  deps: ReportTransferDeps,
  link: string,
  addressBlock: string,
): Promise<Checkout> => {
  const stored = await findLinked(deps, link);
  // In test mode nobody can be asked.
  if (stored.mode === 'test') return stored;
  const { businessId, mode } = stored;
  const payer = { businessId, mode, kind: 'public', addressBlock } as const;
  await unlessRefused(noteSent(deps, stored));
  await unlessRefused(requeryInTurn(deps, payer, stored, 'payer_reports', () => deps.pageUses.take(stored, 'report')));
  return findLinked(deps, link);
};

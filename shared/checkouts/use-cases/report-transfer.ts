import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import type { PageUses } from '#shared/checkouts/ports.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { type NoteSentDeps, recordSentReport } from './note-sent.ts';
import { type RequeryCheckoutDeps, requeryInTurn } from './requery-checkout.ts';
import { type FindLinkedDeps, findLinked } from './show-to-payer.ts';

export interface ReportTransferDeps extends FindLinkedDeps, RequeryCheckoutDeps, NoteSentDeps {
  readonly pageUses: PageUses;
}

/** Waits for work, and ignores its API errors, because they do not concern the payer. */
const ignoreApiErrors = async (work: Promise<void>): Promise<void> => {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
};

/**
 * Records the payer's first report that the money was sent, and asks the provider, so that a lost notification costs the payer only
 * seconds. The provider is asked at most once in ten seconds, twenty times in the checkout's life, and within the business's quota. Beyond
 * these limits, or if the provider does not answer, the checkout stays unchanged and the page keeps polling.
 * @throws ApiError not_found.
 */
export const reportTransfer = async (
  deps: ReportTransferDeps,
  link: string,
  addressBlock: string,
): Promise<Checkout> => {
  const stored = await findLinked(deps, link);
  // Test mode has no provider to ask.
  if (stored.mode === 'test') return stored;
  const { businessId, mode } = stored;
  const payer = { businessId, mode, kind: 'public', addressBlock } as const;
  await ignoreApiErrors(recordSentReport(deps, stored));
  await ignoreApiErrors(
    requeryInTurn(deps, payer, stored, 'payer_reports', () => deps.pageUses.take(stored, 'report')),
  );
  return findLinked(deps, link);
};

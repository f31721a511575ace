import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import { makeSentReport, reportSent } from '#shared/checkouts/domain/sent-report.ts';
import type { SentReports } from '#shared/checkouts/ports.ts';
import { type ChangeDeps, decideCheckout } from '#shared/payments/use-cases/change-checkout.ts';
import { type CommitDeps, commit } from '#shared/platform/commit.ts';

export interface NoteSentDeps extends ChangeDeps, CommitDeps {
  readonly sentReports: Pick<SentReports, 'opening'>;
}

/**
 * Writes down that a payer says for the first time that the money of a checkout was sent, with the look that is due five minutes later, in one
 * transaction. Whoever says it again reads the checkout and writes nothing.
 * @throws the refusals checkout_not_found; service_unavailable after 30 conflicts.
 */
export const noteSent = async (deps: NoteSentDeps, stored: Checkout): Promise<void> => {
  const sentAt = deps.now();
  if (!reportSent(stored, sentAt)) return;
  await commit(deps, async () => {
    const decision = await decideCheckout(deps, stored, stored.reference, (checkout) => reportSent(checkout, sentAt));
    // It was said, or the money came, since the checkout was read.
    if (decision.writes.length === 0) return decision;
    return {
      ...decision,
      writes: [...decision.writes, ...deps.sentReports.opening(makeSentReport(decision.result, sentAt))],
    };
  });
};

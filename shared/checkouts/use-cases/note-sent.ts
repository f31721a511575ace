import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import { makeSentReport, reportSent } from '#shared/checkouts/domain/sent-report.ts';
import type { SentReports } from '#shared/checkouts/ports.ts';
import { type ChangeDeps, decideCheckout } from '#shared/payments/use-cases/change-checkout.ts';
import { type CommitDeps, commit } from '#shared/platform/commit.ts';

export interface NoteSentDeps extends ChangeDeps, CommitDeps {
  readonly sentReports: Pick<SentReports, 'newReportWrites'>;
}

/**
 * Records a payer's first report that the money was sent, and the check that is due five minutes later, in one transaction. A repeated
 * report writes nothing.
 * @throws ApiError checkout_not_found; service_unavailable after 30 conflicts.
 */
export const recordSentReport = async (deps: NoteSentDeps, stored: Checkout): Promise<void> => {
  const sentAt = deps.now();
  if (!reportSent(stored, sentAt)) return;
  await commit(deps, async () => {
    const decision = await decideCheckout(deps, stored, stored.reference, (checkout) => reportSent(checkout, sentAt));
    // Nothing to write: after `stored` was read, another request recorded a report, or the money came.
    if (decision.writes.length === 0) return decision;
    return {
      ...decision,
      writes: [...decision.writes, ...deps.sentReports.newReportWrites(makeSentReport(decision.result, sentAt))],
    };
  });
};

import { type SentReport, takeSample } from '#shared/checkouts/domain/sent-report.ts';
import type { LinkedCheckouts, SentReports } from '#shared/checkouts/ports.ts';
import type { Runtime } from '#shared/platform/ports.ts';

export interface CheckSentReportDeps extends Pick<Runtime, 'now'> {
  readonly sentReports: Pick<SentReports, 'find' | 'end'>;
  readonly linkedCheckouts: LinkedCheckouts;
}

/**
 * Runs some minutes after a payer reported that the money was sent. Checks whether the money has come, and adds the result to the counts of the
 * provider that the report is about. It asks no provider, and a repeat counts nothing.
 */
export const checkSentReport = async (
  deps: CheckSentReportDeps,
  at: Pick<SentReport, 'provider' | 'reference'>,
): Promise<void> => {
  const report = await deps.sentReports.find(at);
  if (!report) return;
  const checkout = await deps.linkedCheckouts.find(report.reference, { mayLag: true });
  await deps.sentReports.end(report, checkout && takeSample(report, checkout, deps.now()));
};

import type { Kobo } from '#shared/platform/kernel/money.ts';
import type { CumulativeReport, ReportedRejection, ReportedTransfer } from '#shared/providers/domain/report.ts';
import { world } from './live-merchant.ts';

/* Makes reports of money as a provider does, at the time of the test's world. Amounts are kobo. */

const commonFields = (reference: string) => ({
  payee: { by: 'our_reference', reference } as const,
  providerReference: 'KPY-PAY-7',
  fee: 0 as Kobo,
  paidAt: world.clock.now(),
  senderName: 'Chidi Eze',
  senderBank: 'GTBank',
});

/** Makes a cumulative report: the money that the provider keeps and has returned under one reference. */
export const makeCumulativeReport = (reference: string, kept: number, returned = 0): CumulativeReport => ({
  ...commonFields(reference),
  kind: 'cumulative_report',
  kept: kept as Kobo,
  returned: returned as Kobo,
});

export const makeTransfer = (
  reference: string,
  amount: number,
  outcome: ReportedTransfer['outcome'] = 'accepted',
  transferId = 'KPY-PAY-7',
): ReportedTransfer => ({
  ...commonFields(reference),
  kind: 'transfer',
  transferId,
  amount: amount as Kobo,
  outcome,
});

export const makeRejection = (reference: string, amount: number, rejectionId = 'session-1'): ReportedRejection => ({
  ...commonFields(reference),
  kind: 'rejection',
  rejectionId,
  amount: amount as Kobo,
});

import type { CumulativeReport, ReportedRejection, ReportedTransfer } from '#shared/providers/domain/report.ts';
import { NOON, naira } from '#test/unit/api/examples.ts';

/* Money as a provider reports it. */

const particulars = {
  providerReference: 'txn-1',
  fee: naira(10),
  paidAt: NOON,
  senderName: 'OKAFOR CHIAMAKA GRACE',
  senderBank: 'Kuda Microfinance Bank',
};

/** A transfer of ₦5,000 to a virtual account. */
export const transferOf = (of: Partial<ReportedTransfer> = {}): ReportedTransfer => ({
  ...particulars,
  kind: 'transfer',
  transferId: 'trf-1',
  payee: { by: 'account_number', accountNumber: '1234567898' },
  amount: naira(5_000),
  outcome: 'accepted',
  ...of,
});

/** A transfer of ₦5,000 that was returned on arrival. */
export const rejectionOf = (of: Partial<ReportedRejection> = {}): ReportedRejection => ({
  ...particulars,
  kind: 'rejection',
  rejectionId: 'session-1',
  payee: { by: 'our_reference', reference: 'PAY-7H2KQ9XW4M1ZB8T5RC3N' },
  amount: naira(5_000),
  ...of,
});

/** ₦5,000 under one reference, of which nothing was returned. */
export const totalOf = (of: Partial<CumulativeReport> = {}): CumulativeReport => ({
  ...particulars,
  kind: 'cumulative_report',
  payee: { by: 'our_reference', reference: 'PAY-7H2KQ9XW4M1ZB8T5RC3N' },
  kept: naira(5_000),
  returned: naira(0),
  ...of,
});

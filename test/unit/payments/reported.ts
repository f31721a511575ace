import type { CumulativeReport, ReportedRejection, ReportedTransfer } from '#shared/providers/domain/report.ts';
import { NOON, naira } from '#test/unit/api/examples.ts';

/* Builders of money as a provider reports it. */

const particulars = {
  providerReference: 'txn-1',
  fee: naira(10),
  paidAt: NOON,
  senderName: 'OKAFOR CHIAMAKA GRACE',
  senderBank: 'Kuda Microfinance Bank',
};

/** Builds a transfer of ₦5,000 to a virtual account. */
export const transferOf = (changes: Partial<ReportedTransfer> = {}): ReportedTransfer => ({
  ...particulars,
  kind: 'transfer',
  transferId: 'trf-1',
  payee: { by: 'account_number', accountNumber: '1234567898' },
  amount: naira(5_000),
  outcome: 'accepted',
  ...changes,
});

/** Builds a transfer of ₦5,000 that was returned on arrival. */
export const rejectionOf = (changes: Partial<ReportedRejection> = {}): ReportedRejection => ({
  ...particulars,
  kind: 'rejection',
  rejectionId: 'session-1',
  payee: { by: 'our_reference', reference: 'PAY-7H2KQ9XW4M1ZB8T5RC3N' },
  amount: naira(5_000),
  ...changes,
});

/** Builds a cumulative report of ₦5,000 under one reference. Nothing was returned. */
export const totalOf = (changes: Partial<CumulativeReport> = {}): CumulativeReport => ({
  ...particulars,
  kind: 'cumulative_report',
  payee: { by: 'our_reference', reference: 'PAY-7H2KQ9XW4M1ZB8T5RC3N' },
  kept: naira(5_000),
  returned: naira(0),
  ...changes,
});

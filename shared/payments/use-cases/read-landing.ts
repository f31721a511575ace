import { paymentsToRead } from '#shared/payments/domain/landing/apply-report.ts';
import type { LandingOwner, LandingState } from '#shared/payments/domain/landing/landing.ts';
import { knownSince, mayFollowReturn } from '#shared/payments/domain/landing/reinstated.ts';
import type { Payment, PaymentOwner } from '#shared/payments/domain/payment.ts';
import type { Ledger, LocatedMoney } from '#shared/payments/ports.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import { OwnerNotFound } from '#shared/providers/domain/errors.ts';
import { isReinstated, type MoneyReport, reinstateTransfer } from '#shared/providers/domain/report.ts';

/** The owner that an operator chose for money. */
export interface AssignedOwner {
  readonly owner: PaymentOwner;
  readonly tenant: Tenant;
}

/** A report, and the records of its money. */
export interface LocatedReport {
  readonly report: MoneyReport;
  readonly located: LocatedMoney;
}

const locate = async (ledger: Ledger, report: MoneyReport): Promise<LocatedReport> => ({
  report,
  located: await ledger.locate(report.provider, report.money),
});

/**
 * Finds the money that a report concerns. Usually it is the money that the report names. If this is a transfer that was returned before, the report
 * may concern the reinstated transfer instead. The reinstated transfer is left out if a newer report of it is recorded or saved.
 */
export const locateMoney = async (ledger: Ledger, report: MoneyReport): Promise<readonly LocatedReport[]> => {
  // Returned transfers that were saved before their owner was known. They land with this report, after the reinstated transfer.
  const waiting: LocatedReport[] = [];
  let current = await locate(ledger, report);
  while (current.report.money.kind === 'transfer' && mayFollowReturn(current.located, current.report)) {
    const next = await locate(ledger, { ...report, money: reinstateTransfer(current.report.money) });
    const { known } = next.located;
    if (report.refund && !known) break;
    if (!current.located.known) waiting.unshift(current);
    if (!report.refund && report.askedAt < knownSince(next.located)) return waiting;
    current = next;
    if (!known) break;
  }
  return [current, ...waiting];
};

const readOwner = async (ledger: Ledger, owner: PaymentOwner, tenant: Tenant): Promise<LandingOwner> => {
  if (owner.kind === 'checkout') {
    const existing = await ledger.readCheckout(tenant, owner.reference);
    if (!existing) throw new OwnerNotFound(owner.reference);
    return { kind: 'checkout', ...existing };
  }
  const existing = await ledger.readVirtualAccount(tenant, owner.id);
  if (!existing) throw new OwnerNotFound(owner.id);
  return { kind: 'virtual_account', ...existing };
};

/** Finds the owner: the recorded one, or the one that an operator chose, or the reported one. */
const findOwner = (
  { known, owner, tenant }: LocatedMoney,
  { money }: MoneyReport,
  assigned: AssignedOwner | undefined,
): AssignedOwner | undefined => {
  if (known) return { owner: known.owner, tenant: known };
  if (assigned) return assigned;
  // Reinstated money counts only when an operator assigns it. A virtual account never has a cumulative report.
  const isPossible = !isReinstated(money) && (owner?.kind === 'checkout' || money.kind !== 'cumulative_report');
  return owner && tenant && isPossible ? { owner, tenant } : undefined;
};

/** Whether a part of this payment was returned after we chose which payments to read. Then its remainder is another payment, which was not read. */
const isRefundedSince = ({ kept }: Payment): boolean => kept !== undefined;

/**
 * Reads the whole state of located money. `conflict`: some of it changed between two reads.
 * @throws OwnerNotFound.
 */
export const readLandingState = async (
  ledger: Ledger,
  { report, located }: LocatedReport,
  assigned: AssignedOwner | undefined,
): Promise<LandingState | 'conflict'> => {
  const { known, unmatched, isForeign } = located;
  const target = findOwner(located, report, assigned);
  const recorded = { known, unmatched, isForeign, assigned: assigned?.owner };
  if (!target) return { ...recorded, owner: undefined, affected: [] };
  const owner = await readOwner(ledger, target.owner, target.tenant);
  // The payment was read before its checkout. If it was reversed in between, the checkout may have less money than would be taken out.
  const isReversedSince =
    owner.kind === 'checkout' && known?.outcome === 'accepted' && known.amount > owner.checkout.paidAmount;
  if (isReversedSince) return 'conflict';
  const origins = paymentsToRead(owner, known, report);
  const affected =
    origins.length > 0
      ? await ledger.readPayments({ mode: target.tenant.mode, provider: report.provider }, origins)
      : [];
  return affected.some(isRefundedSince) ? 'conflict' : { ...recorded, owner, affected };
};

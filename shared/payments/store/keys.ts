import { getBookedAt, type Payment, type PaymentOwner, paymentOutcome } from '#shared/payments/domain/payment.ts';
import {
  type ReconciliationId,
  type ReconciliationPass,
  reconciliationId,
} from '#shared/payments/domain/reconciliation.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { inList, type Key, makeKey, sortable } from '#shared/platform/table/keys.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { PaymentOrigin, SourceId } from '#shared/providers/domain/source.ts';

/** Lists the parts of a key that make a payment unique. No code parses them from a key. */
const partsOfPayment = (id: PaymentOrigin | SourceId): readonly (string | number)[] => {
  switch (id.kind) {
    case 'transfer':
      return [id.transferId, ...(id.reinstatements === undefined ? [] : [id.reinstatements])];
    case 'rejection':
      return [id.transaction, id.rejectionId];
    case 'cumulative_report':
      return [id.reference];
    case 'part':
      return [id.reference, id.reached, id.falls];
    case 'returned':
      return [id.reference, id.returned];
    case 'rest':
      return [id.transferId, id.refunded, ...(id.reinstatements === undefined ? [] : [id.reinstatements])];
  }
};
/** Builds the key of a payment or of unmatched money. Unmatched money is stored under the key of its later payment. */
export const paymentKey = (mode: Mode, provider: ProviderName, id: PaymentOrigin | SourceId): Key => {
  // Providers' ids may contain any character, even our separator.
  const parts = partsOfPayment(id).map((part) => encodeURIComponent(part));
  return makeKey('PAY', mode, provider, id.kind, ...parts);
};
/** Builds the key of a payment or of unmatched money from an entry of the due-work index. */
export const duePaymentKey = (pk: string): Key => ({ pk, sk: 'PAY' });
/** Builds the key of an assignment. It names the checkout to which an operator assigned the cumulative report of a reference. */
export const assignedReferenceKey = (provider: ProviderName, reference: string): Key =>
  makeKey('PREF', 'live', provider, reference);
export const notificationKey = ({ provider, hash }: { provider: ProviderName; hash: string }): Key =>
  makeKey('NTF', provider, hash);
/** Builds the partition key of all lists of a reconciliation pass. */
export const reconciliationPartition = (provider: ProviderName, pass: ReconciliationPass): string =>
  `RECON#${provider}#${pass}`;
export const reconciliationKey = ({ provider, pass, list, lists }: ReconciliationId): Key => ({
  pk: reconciliationPartition(provider, pass),
  sk: `RECON#${list}#${lists}`,
});
/** Parses the key of a reconciliation list; undefined for a key that no release wrote. */
export const reconciliationAt = ({ pk, sk }: Key): ReconciliationId | undefined => {
  const [, provider, pass] = pk.split('#');
  const [, list, lists] = sk.split('#').map(Number);
  return reconciliationId.safeParse({ provider, pass, list, lists }).data;
};
export const ownerPartition = (owner: PaymentOwner): string =>
  `OWNER#${owner.kind === 'checkout' ? owner.reference : owner.id}`;
/** The partition of all unmatched payments, of every provider. The list is short, because alarms call people to its entries. */
export const UNMATCHED = 'UNMATCHED';
/** The partition of all stuck notifications, of every provider. The list is short, because alarms call people to its entries. */
export const STUCK = 'STUCK';
export const inPayments = (owner: PaymentOwner, at: Millis, id: string) => inList(ownerPartition(owner), at, id);
export const inUnmatched = (at: Millis, id: string) => inList(UNMATCHED, at, id);
export const inStuck = (at: Millis, { provider, hash }: { provider: ProviderName; hash: string }) =>
  inList(STUCK, at, `${provider}#${hash}`);
/** Builds the partition key on gsi3 of all payments of a business in a mode. */
export const paymentsOfBusiness = (tenant: Tenant): string => `BIZ#${tenant.businessId}#${tenant.mode}#PAY`;
const OUTCOME_LETTERS = { accepted: 'A', rejected: 'R', reversed: 'V' } as const;
/** The fields of a payment that its sort key on gsi3 contains. */
export interface PaymentEntry extends Pick<Payment, 'id' | 'outcome'> {
  readonly recordedAt: Millis;
  readonly amount: number;
  /** Kobo that the provider kept of a reversed payment. */
  readonly remainder: number;
}
/** Builds the index keys of a payment among all payments of its business. They contain outcome and amount, so totals are summed without reading items. */
export const inPaymentsOfBusiness = (payment: Payment) => {
  const { id, outcome, amount, kept } = payment;
  const outcomeAndAmount = `${OUTCOME_LETTERS[outcome]}${sortable(amount)}`;
  return {
    gsi3pk: paymentsOfBusiness(payment),
    gsi3sk: [positionOfPayment(getBookedAt(payment), id), outcomeAndAmount, ...(kept ? [sortable(kept)] : [])].join(
      '#',
    ),
  };
};
/** Builds the position of a payment in the list of its business. It sorts just before the payment's entry. */
export const positionOfPayment = (recordedAt: Millis, id: string): string => `${sortable(recordedAt)}#${id}`;
/** Builds the same position from an entry's sort key on gsi3. */
export const positionOfEntry = (gsi3sk: string): string => gsi3sk.split('#', 2).join('#');
/** Parses a sort key on gsi3; undefined for an outcome that this release does not know. */
export const parsePaymentEntry = (gsi3sk: string): PaymentEntry | undefined => {
  const [recordedAt = '', id = '', outcomeAndAmount = '', kept = '0'] = gsi3sk.split('#');
  const outcome = paymentOutcome.options.find((value) => OUTCOME_LETTERS[value] === outcomeAndAmount[0]);
  if (!outcome) return undefined;
  return {
    id,
    outcome,
    recordedAt: Number(recordedAt),
    amount: Number(outcomeAndAmount.slice(1)),
    remainder: Number(kept),
  };
};
/** Builds the key of the totals of a day in Lagos time. */
export const dailyTotalKey = (tenant: Tenant, date: string): Key => ({ pk: dailyTotalPartition(tenant), sk: date });
export const dailyTotalPartition = (tenant: Tenant): string => `TOT#${tenant.businessId}#${tenant.mode}`;

import { effectiveAt, type Payment, type PaymentOwner, paymentOutcome } from '#shared/payments/domain/payment.ts';
import {
  type ReconciliationId,
  type ReconciliationPass,
  reconciliationId,
} from '#shared/payments/domain/reconciliation.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { type Key, listed, single, sortable } from '#shared/platform/table/keys.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { PaymentOrigin, SourceId } from '#shared/providers/domain/source.ts';

/** The parts of an id that distinguish one payment from all others. No code reads them back from a key. */
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
/** A payment, or unmatched money: a transfer is kept under the key that its payment will have. */
export const paymentKey = (mode: Mode, provider: ProviderName, id: PaymentOrigin | SourceId): Key => {
  // Providers' ids may hold anything, our separator among it.
  const parts = partsOfPayment(id).map((part) => encodeURIComponent(part));
  return single('PAY', mode, provider, id.kind, ...parts);
};
/** The payment or the unmatched money that an entry of the due-work index names. */
export const duePaymentKey = (pk: string): Key => ({ pk, sk: 'PAY' });
/** The checkout that operators assigned a cumulative report to, by the provider and its reference. */
export const assignedReferenceKey = (provider: ProviderName, reference: string): Key =>
  single('PREF', 'live', provider, reference);
export const notificationKey = ({ provider, hash }: { provider: ProviderName; hash: string }): Key =>
  single('NTF', provider, hash);
/** All lists of a pass of reconciliation. */
export const reconciliationPartition = (provider: ProviderName, pass: ReconciliationPass): string =>
  `RECON#${provider}#${pass}`;
export const reconciliationKey = ({ provider, pass, list, lists }: ReconciliationId): Key => ({
  pk: reconciliationPartition(provider, pass),
  sk: `RECON#${list}#${lists}`,
});
/** The list that a key names; undefined for what no release has written. */
export const reconciliationAt = ({ pk, sk }: Key): ReconciliationId | undefined => {
  const [, provider, pass] = pk.split('#');
  const [, list, lists] = sk.split('#').map(Number);
  return reconciliationId.safeParse({ provider, pass, list, lists }).data;
};
export const ownerPartition = (owner: PaymentOwner): string =>
  `OWNER#${owner.kind === 'checkout' ? owner.reference : owner.id}`;
/** Every unmatched payment, whatever the provider: a list that is short, or alarmed. */
export const UNMATCHED = 'UNMATCHED';
/** Every notification that is stuck, whatever the provider: a list that is short, or alarmed. */
export const STUCK = 'STUCK';
export const inPayments = (owner: PaymentOwner, at: Millis, id: string) => listed(ownerPartition(owner), at, id);
export const inUnmatched = (at: Millis, id: string) => listed(UNMATCHED, at, id);
export const inStuck = (at: Millis, { provider, hash }: { provider: ProviderName; hash: string }) =>
  listed(STUCK, at, `${provider}#${hash}`);
/** The list of all payments of a business in a mode, on gsi3. */
export const paymentsOfBusiness = (tenant: Tenant): string => `BIZ#${tenant.businessId}#${tenant.mode}#PAY`;
const OUTCOME_LETTERS = { accepted: 'A', rejected: 'R', reversed: 'V' } as const;
/** A payment, as far as its sort key on gsi3 tells it. */
export interface PaymentEntry extends Pick<Payment, 'id' | 'outcome'> {
  readonly recordedAt: Millis;
  readonly amount: number;
  /** Kobo that the provider kept of a reversed payment. */
  readonly kept: number;
}
/** A payment's place among all payments of its business. Outcome and amount stand in the key, so totals are summed without reading an item. */
export const inPaymentsOfBusiness = (payment: Payment) => {
  const { id, outcome, amount, kept } = payment;
  const ofOutcome = `${OUTCOME_LETTERS[outcome]}${sortable(amount)}`;
  return {
    gsi3pk: paymentsOfBusiness(payment),
    gsi3sk: [positionOfPayment(effectiveAt(payment), id), ofOutcome, ...(kept ? [sortable(kept)] : [])].join('#'),
  };
};
/** Where a payment stands in the list of its business: just before its entry. */
export const positionOfPayment = (recordedAt: Millis, id: string): string => `${sortable(recordedAt)}#${id}`;
/** The same position, of an entry by its sort key on gsi3. */
export const positionOfEntry = (gsi3sk: string): string => gsi3sk.split('#', 2).join('#');
/** The entry that a sort key on gsi3 is; undefined for an outcome that this release does not know. */
export const parsePaymentEntry = (gsi3sk: string): PaymentEntry | undefined => {
  const [recordedAt = '', id = '', ofOutcome = '', kept = '0'] = gsi3sk.split('#');
  const outcome = paymentOutcome.options.find((value) => OUTCOME_LETTERS[value] === ofOutcome[0]);
  if (!outcome) return undefined;
  return { id, outcome, recordedAt: Number(recordedAt), amount: Number(ofOutcome.slice(1)), kept: Number(kept) };
};
/** The totals of a day of Lagos. */
export const dailyTotalKey = (tenant: Tenant, date: string): Key => ({ pk: dailyTotalPartition(tenant), sk: date });
export const dailyTotalPartition = (tenant: Tenant): string => `TOT#${tenant.businessId}#${tenant.mode}`;

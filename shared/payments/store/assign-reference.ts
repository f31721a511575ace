import type { Ledger } from '#shared/payments/ports.ts';
import { assignedReferenceKey, paymentKey } from '#shared/payments/store/keys.ts';
import type { Item, Table } from '#shared/platform/table/table.ts';
import { transact, type Write } from '#shared/platform/table/transact.ts';
import {
  hasUsed,
  listAttemptReferences,
  MAX_ATTEMPTS,
  toCheckoutReference,
  toFirstReference,
} from '#shared/providers/domain/attempt-reference.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { keyOfReference, referenceAssignment } from './owners.ts';
import { unmatchedAsRead } from './unmatched-store.ts';

/**
 * Builds the condition that no visible live checkout has used the reference at this provider. It holds in each of these cases:
 * - The checkout that the reference names does not exist.
 * - It is still opening.
 * - It belongs to test mode.
 * - None of its attempts at this provider used the reference (findReportedAttempt).
 * Undefined if no checkout can have used the reference.
 */
const buildUnusedCondition = (provider: ProviderName, reference: string) => {
  const using = listAttemptReferences(toFirstReference(reference)).filter((last) => hasUsed(last, reference));
  if (using.length === 0) return undefined;
  const values = Object.fromEntries(using.map((last, i) => [`:using${i}`, last]));
  const used = Array.from({ length: MAX_ATTEMPTS }, (_, i) => {
    const at = `attempts[${i}]`;
    return `(${at}.#provider = :provider AND ${at}.#state <> :refused AND ${at}.#reference IN (${Object.keys(values)}))`;
  });
  return {
    expression: `attribute_not_exists(pk) OR #status = :opening OR #mode <> :live OR NOT (${used.join(' OR ')})`,
    names: {
      '#provider': 'provider',
      '#state': 'state',
      '#reference': 'reference',
      '#status': 'status',
      '#mode': 'mode',
    },
    values: { ...values, ':provider': provider, ':refused': 'refused', ':opening': 'opening', ':live': 'live' },
  };
};

/** Assigns the cumulative report of a reference to a checkout. */
export const assignReference =
  (table: Table): Ledger['assignReference'] =>
  async (unmatched, reference, to) => {
    const { provider, mode, source } = unmatched;
    const put = { ...assignedReferenceKey(provider, reference), checkout: to };
    const when = { expression: 'attribute_not_exists(pk) OR checkout = :to', values: { ':to': to } };
    const assignedBefore = (existing: Item | undefined) => ({ to: referenceAssignment.parse(existing).checkout });
    const own = toCheckoutReference(reference);
    const paidFor = own === to ? undefined : keyOfReference(own);
    const unused = buildUnusedCondition(provider, reference);
    const writes: Write<'changed' | 'has_owner' | { to: string }>[] = [
      { put, when, otherwise: assignedBefore },
      ...(paidFor && unused ? [{ check: paidFor, when: unused, otherwise: () => 'has_owner' as const }] : []),
      {
        check: paymentKey(mode, provider, source),
        when: unmatchedAsRead(unmatched),
        otherwise: () => 'changed' as const,
      },
    ];
    return (await transact(table, writes)) ?? 'assigned';
  };

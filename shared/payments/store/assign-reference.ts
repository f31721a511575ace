import type { Ledger } from '#shared/payments/ports.ts';
import { assignedReferenceKey, paymentKey } from '#shared/payments/store/keys.ts';
import type { Item, Table } from '#shared/platform/table/table.ts';
import { transact, type Write } from '#shared/platform/table/transact.ts';
import { attemptReferences, hasUsed, referenceOfAttempt } from '#shared/providers/domain/attempt-reference.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { assigned, keyOfReference } from './owners.ts';
import { unmatchedAsRead } from './unmatched-store.ts';

/**
 * That the checkout of an attempt reference has not used it: there is no such checkout, its account is still being opened, or its
 * account was opened under an earlier attempt reference, at another provider or in test mode. Undefined when no checkout can have used it.
 */
const isUnused = (provider: ProviderName, attempted: string) => {
  const reference = referenceOfAttempt(attempted);
  const using = attemptReferences(reference).filter((providerReference) =>
    hasUsed({ reference, providerReference }, attempted),
  );
  const values = Object.fromEntries(using.map((providerReference, i) => [`:using${i}`, providerReference]));
  const used = `providerReference IN (${Object.keys(values)}) AND #provider = :provider AND #mode = :live`;
  return using.length > 0
    ? {
        expression: `attribute_not_exists(providerReference) OR NOT (${used})`,
        names: { '#provider': 'provider', '#mode': 'mode' },
        values: { ...values, ':provider': provider, ':live': 'live' },
      }
    : undefined;
};

/** Assigns the running total of a reference to a checkout. */
export const assignReference =
  (table: Table): Ledger['assignReference'] =>
  async (unmatched, reference, to) => {
    const { provider, mode: of, source } = unmatched;
    const put = { ...assignedReferenceKey(provider, reference), checkout: to };
    const when = { expression: 'attribute_not_exists(pk) OR checkout = :to', values: { ':to': to } };
    const before = (existing: Item | undefined) => ({ to: assigned.parse(existing).checkout });
    const own = referenceOfAttempt(reference);
    const paidFor = own === to ? undefined : keyOfReference(own);
    const free = isUnused(provider, reference);
    const writes: Write<'changed' | 'has_owner' | { to: string }>[] = [
      { put, when, otherwise: before },
      ...(paidFor && free ? [{ check: paidFor, when: free, otherwise: () => 'has_owner' as const }] : []),
      {
        check: paymentKey(of, provider, source),
        when: unmatchedAsRead(unmatched),
        otherwise: () => 'changed' as const,
      },
    ];
    return (await transact(table, writes)) ?? 'assigned';
  };

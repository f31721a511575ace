import type { Ledger } from '#shared/payments/ports.ts';
import { assignedReferenceKey, paymentKey } from '#shared/payments/store/keys.ts';
import type { Key } from '#shared/platform/table/keys.ts';
import { getItem, getItems, type Item, type Table } from '#shared/platform/table/table.ts';
import { toCheckoutReference } from '#shared/providers/domain/attempt-reference.ts';
import { toSourceId } from '#shared/providers/domain/report.ts';
import { receivingAccountKey } from '#shared/virtual-accounts/store/keys.ts';
import { readPaymentOrUnmatched } from './booked.ts';
import { keyOfReference, locateOwner } from './owners.ts';

/**
 * Finds the owner of reported money, and the records of the money. @throws UnreadableItem, because an unreadable item must not look like an
 * absent one.
 */
export const locate =
  (table: Table): Ledger['locate'] =>
  async (provider, money) => {
    const { payee } = money;
    const payeeKey =
      payee.by === 'our_reference'
        ? keyOfReference(toCheckoutReference(payee.reference))
        : receivingAccountKey('live', provider, payee.accountNumber);
    // The payments of a cumulative report are not read here. The report is compared with the total that its checkout has.
    const keyOfPayment = paymentKey('live', provider, toSourceId(money));
    // A rejection may belong to a transaction that is reported as a cumulative report.
    const assignmentKey =
      money.kind !== 'transfer' && payee.by === 'our_reference'
        ? assignedReferenceKey(provider, payee.reference)
        : undefined;
    const keys = [keyOfPayment, payeeKey, assignmentKey].filter((key) => key !== undefined);
    const items = await getItems(table, keys);
    const itemAt = (key: Key | undefined): Item | undefined => key && items[keys.indexOf(key)];
    const { known, unmatched } = readPaymentOrUnmatched(table, itemAt(keyOfPayment));
    // The batch does not read all items at the same moment. The money may have been assigned after the assignment was read, but before the
    // checkout became visible. So the assignment is read again.
    const assignment =
      itemAt(assignmentKey) ??
      (assignmentKey && unmatched && itemAt(payeeKey) ? await getItem(table, assignmentKey) : undefined);
    return {
      ...(await locateOwner(table, provider, payee, { payeeItem: itemAt(payeeKey), assignment })),
      known,
      unmatched,
    };
  };

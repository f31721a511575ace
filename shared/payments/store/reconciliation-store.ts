import { DeleteCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { hasLiveAttemptAt } from '#shared/checkouts/domain/attempt.ts';
import { checkout } from '#shared/checkouts/domain/checkout.ts';
import { checkoutKey } from '#shared/checkouts/store/keys.ts';
import type { CountedLandings } from '#shared/payments/domain/landed-times.ts';
import { MOST_LISTS, type Reconciliation, reconciliation } from '#shared/payments/domain/reconciliation.ts';
import type { ReconciliationStore } from '#shared/payments/ports.ts';
import { paymentKey, reconciliationKey, reconciliationPartition } from '#shared/payments/store/keys.ts';
import { conditionHeld } from '#shared/platform/table/conditional-write.ts';
import { makeTicket } from '#shared/platform/table/due-keys.ts';
import type { Key } from '#shared/platform/table/keys.ts';
import { readableItems, readEach, readItem } from '#shared/platform/table/readable.ts';
import { getItem, getItems, type Item, type Table } from '#shared/platform/table/table.ts';
import { transact } from '#shared/platform/table/transact.ts';
import { toCheckoutReference } from '#shared/providers/domain/attempt-reference.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { ListedPayment } from '#shared/providers/domain/report.ts';
import type { PaymentOrigin, SourceId } from '#shared/providers/domain/source.ts';
import { addCounts } from '#shared/providers/store/health-counts.ts';
import { type BookedPayment, toBookedPayments } from './booked.ts';
import { reconciliationItem } from './items.ts';

/** Returns the cumulative report that a part belongs to; undefined for any other payment. */
const toTotalSource = (origin: PaymentOrigin | undefined) =>
  origin?.kind === 'part' ? ({ kind: 'cumulative_report', reference: origin.reference } as const) : undefined;

const readBookedPayments = async (table: Table, provider: ProviderName, origins: readonly PaymentOrigin[]) => {
  const read = async (ids: readonly (PaymentOrigin | SourceId)[]) =>
    toBookedPayments(
      table,
      await getItems(
        table,
        ids.map((id) => paymentKey('live', provider, id)),
      ),
    );
  const payments = await read(origins);
  // Unmatched money of a cumulative report is stored under the report, not under a part of it.
  const totals = origins.flatMap((origin, i) =>
    payments[i]?.outcome === undefined ? (toTotalSource(origin) ?? []) : [],
  );
  const bookedTotals = await read(totals);
  const inTotals = new Map(totals.map(({ reference }, i) => [reference, bookedTotals[i]]));
  return payments.map(
    (payment, i): BookedPayment =>
      payment.outcome === undefined
        ? { outcome: inTotals.get(toTotalSource(origins[i])?.reference ?? '')?.outcome }
        : payment,
  );
};

/** Reads the cumulative reports of references from their checkouts. */
const readTotals = async (table: Table, provider: ProviderName, references: readonly string[]) => {
  const items = await getItems(
    table,
    references.map((reference) => checkoutKey(toCheckoutReference(reference))),
  );
  const opened = items.map((item) => (item?.status === 'opening' ? undefined : item));
  return new Map(
    readEach(table, checkout, opened).map((existing, i) => {
      const reference = references[i] ?? '';
      return [reference, existing && hasLiveAttemptAt(provider, existing) ? existing.totals[reference] : undefined];
    }),
  );
};

const whenAsRead = (
  before: Reconciliation | undefined,
): { ConditionExpression: string; ExpressionAttributeValues?: Record<string, number> } =>
  before
    ? { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': before.version } }
    : { ConditionExpression: 'attribute_not_exists(pk)' };

/**
 * Saves progress and the counts of its page in one transaction. So a page that is compared again after a crash has not been counted before, and the
 * second of two processes counts nothing.
 */
const saveAndCount = async (
  table: Table,
  put: { readonly Item: Item & Key } & ReturnType<typeof whenAsRead>,
  provider: ProviderName,
  { at, ...landings }: CountedLandings,
): Promise<boolean> => {
  const { key, update } = addCounts(provider, at, landings);
  const { ConditionExpression: expression, ExpressionAttributeValues: values } = put;
  const when = { expression, ...(values && { values }) };
  const outcome = await transact<'moved_on'>(table, [
    { put: put.Item, when, otherwise: () => 'moved_on' },
    { update: key, by: update },
  ]);
  return outcome === undefined;
};

/** Stores the progress of the reconciliations in the table. */
export const reconciliationStore = (table: Table): ReconciliationStore => ({
  find: async (id) => readItem(table, reconciliation, await getItem(table, reconciliationKey(id))),
  findLists: async (provider, pass) => {
    const query = new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': reconciliationPartition(provider, pass) },
      ConsistentRead: true,
      // While the number of lists changes, lists of two settings exist.
      Limit: 2 * MOST_LISTS,
    });
    const { Items = [] } = await table.client.send(query);
    return readableItems(table, reconciliation, Items);
  },
  remove: async (list) => {
    await table.client.send(new DeleteCommand({ TableName: table.name, Key: reconciliationKey(list) }));
  },
  save: async (before, after, counted) => {
    const put = { TableName: table.name, Item: reconciliationItem(table, after), ...whenAsRead(before) };
    const isSaved = counted
      ? await saveAndCount(table, put, after.provider, counted)
      : await conditionHeld(table.client.send(new PutCommand(put)));
    return isSaved ? makeTicket(reconciliationKey(after), 'payments', after.dueAt) : undefined;
  },
  findOutcomes: async (provider, origins) =>
    (await readBookedPayments(table, provider, origins)).map(({ outcome }) => outcome),
  findBooked: async (provider, payments) => {
    const origins = payments.flatMap(({ origin }) => origin ?? []);
    const references = payments.flatMap(({ total }) => total?.reference ?? []);
    const [bookedPayments, totals] = await Promise.all([
      readBookedPayments(table, provider, origins),
      readTotals(table, provider, references),
    ]);
    const bookedPaymentAt = ({ origin }: ListedPayment) =>
      origin ? bookedPayments[origins.indexOf(origin)] : undefined;
    return payments.map((listed) => ({
      outcome: undefined,
      ...bookedPaymentAt(listed),
      total: totals.get(listed.total?.reference ?? ''),
    }));
  },
});

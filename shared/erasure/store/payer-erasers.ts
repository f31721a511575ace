import { TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type Checkout, checkout } from '#shared/checkouts/domain/checkout.ts';
import { checkoutItem } from '#shared/checkouts/store/items.ts';
import { eraseOnCheckout } from '#shared/erasure/domain/erase-checkout.ts';
import { eraseOnVirtualAccount } from '#shared/erasure/domain/erase-virtual-account.ts';
import type { ErasedPayer } from '#shared/erasure/domain/personal-fields.ts';
import { type Notification, notification } from '#shared/payments/domain/notification.ts';
import type { Payment } from '#shared/payments/domain/payment.ts';
import type { Transition } from '#shared/platform/kernel/transition.ts';
import type { StoredAnswer } from '#shared/platform/requests/ports.ts';
import { storedAnswer } from '#shared/platform/table/answers.ts';
import { conditionHeld } from '#shared/platform/table/conditional-write.ts';
import type { Key } from '#shared/platform/table/keys.ts';
import { retryTemporary } from '#shared/platform/table/retries.ts';
import { type Item, type Table, toKey } from '#shared/platform/table/table.ts';
import { buildUpdate } from '#shared/platform/table/update-expression.ts';
import { type VirtualAccount, virtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';
import { virtualAccountItem } from '#shared/virtual-accounts/store/items.ts';
import { isCustomerPointer } from '#shared/virtual-accounts/store/keys.ts';
import { type Attempt, attempt, type Delivery, delivery } from '#shared/webhooks/domain/delivery.ts';
import { type Event, event } from '#shared/webhooks/domain/event.ts';
import { eventPartition, isDeliveryKey, isEventKey } from '#shared/webhooks/store/keys.ts';
import { eraseInBody, showsPayer } from './payer-bodies.ts';

/*
 * How each kind of item that is the payer's is erased. Each write holds only while the item is as it was read, so that it takes nothing
 * back, and whoever read the item before has to read it again. False where the condition did not hold.
 */

/** A transaction may be writing the same item; the SDK does not repeat the write then. */
const meetsTransaction = (error: unknown): boolean => error instanceof TransactionConflictException;

const update = <T>(table: Table, key: Key, transition: Transition<T>): Promise<boolean> => {
  const command = new UpdateCommand({ TableName: table.name, Key: { ...key }, ...buildUpdate(transition, {}) });
  return conditionHeld(retryTemporary(() => table.client.send(command), meetsTransaction));
};

const replace = (table: Table, item: Item & Key, lock: 'revision' | 'version', before: number): Promise<boolean> => {
  const command = new PutCommand({
    TableName: table.name,
    Item: item,
    ConditionExpression: '#lock = :before',
    ExpressionAttributeNames: { '#lock': lock },
    ExpressionAttributeValues: { ':before': before },
  });
  return conditionHeld(retryTemporary(() => table.client.send(command), meetsTransaction));
};

export const eraseCheckout = async (table: Table, payer: ErasedPayer, item: Item): Promise<boolean> => {
  const before: Checkout = checkout.parse(item);
  const after = eraseOnCheckout(before, payer);
  return after ? replace(table, checkoutItem(table, after), 'revision', before.revision) : true;
};

export const eraseVirtualAccount = async (table: Table, payer: ErasedPayer, item: Item): Promise<boolean> => {
  const before: VirtualAccount = virtualAccount.parse(item);
  const after = eraseOnVirtualAccount(before, payer);
  return after ? replace(table, virtualAccountItem(table, after), 'version', before.version) : true;
};

/** Whoever changes a payment requires the sender that it read. */
export const erasePayment = (table: Table, _payer: ErasedPayer, item: Item): Promise<boolean> =>
  update<Payment>(table, toKey(item), { expect: {}, set: { senderName: null, senderBank: null } });

export const eraseAnswer = (table: Table, payer: ErasedPayer, item: Item): Promise<boolean> => {
  const { data: answer } = storedAnswer.safeParse(item);
  // By now the key may be another request's, or another answer's.
  if (!answer || !showsPayer(payer, answer.body)) return Promise.resolve(true);
  const { requestId, body } = answer;
  return update<StoredAnswer>(table, toKey(item), { expect: { requestId }, set: { body: eraseInBody(payer, body) } });
};

/** One that is settled: what it was about is recorded, and only its hash is needed, which tells a repeated one. */
export const eraseNotification = (table: Table, _payer: ErasedPayer, item: Item): Promise<boolean> => {
  const { raw } = notification.parse(item);
  if (raw === '') return Promise.resolve(true);
  return update<Notification>(table, toKey(item), { expect: { dueAt: null }, set: { raw: '' } });
};

/** A pointer to a customer's account goes. A checkout leaves its payer's list, and is found by its number still. */
export const dropPointer = async (table: Table, _payer: ErasedPayer, item: Item): Promise<boolean> => {
  const key = toKey(item);
  const at = { TableName: table.name, Key: { ...key } };
  const leave = { UpdateExpression: 'REMOVE gsi1pk, gsi1sk', ConditionExpression: 'attribute_exists(pk)' };
  const drop = (): Promise<unknown> =>
    table.client.send(isCustomerPointer(key) ? new DeleteCommand(at) : new UpdateCommand({ ...at, ...leave }));
  return conditionHeld(retryTemporary(drop, meetsTransaction));
};

/** Everything of an event, page by page: itself, its deliveries and their attempts. */
async function* itemsOfEvent(table: Table, id: string): AsyncGenerator<Item> {
  let start: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': eventPartition(id) },
        ExclusiveStartKey: start,
        ConsistentRead: true,
      }),
    );
    yield* Items;
    start = LastEvaluatedKey;
  } while (start);
}

/** An endpoint may answer with what it was sent. */
const eraseResponse = (table: Table, item: Item): Promise<boolean> => {
  if (!isDeliveryKey(toKey(item).sk)) {
    const { number, response } = attempt.parse(item);
    if (response === null) return Promise.resolve(true);
    return update<Attempt>(table, toKey(item), { expect: { number }, set: { response: null } });
  }
  const { attempt: started, redeliveries, state, lastAttempt } = delivery.parse(item);
  if (!lastAttempt || lastAttempt.response === null) return Promise.resolve(true);
  const set = { lastAttempt: { ...lastAttempt, response: null } };
  return update<Delivery>(table, toKey(item), { expect: { attempt: started, redeliveries, state }, set });
};

/** The event last: until then a repeated call finds its deliveries by it. */
export const eraseEvent = async (table: Table, payer: ErasedPayer, item: Item): Promise<boolean> => {
  const { id, body } = event.parse(item);
  for await (const other of itemsOfEvent(table, id)) {
    if (!isEventKey(toKey(other).sk) && !(await eraseResponse(table, other))) return false;
  }
  return update<Event>(table, toKey(item), { expect: {}, set: { body: eraseInBody(payer, body) } });
};

import { below, nullOrBelow } from '#shared/platform/kernel/transition.ts';
import { buildUpdate } from '#shared/platform/table/update-expression.ts';
import type { Delivery, DeliveryJob } from '#shared/webhooks/domain/delivery.ts';
import { startAttempt } from '#shared/webhooks/domain/delivery-transitions.ts';
import { id, NOON } from '#test/unit/api/examples.ts';

interface Thing {
  state: string;
  attempt: number;
  token: string | null;
  until: number;
  note?: string | undefined;
}

describe('the DynamoDB expressions of a transition', () => {
  test('use placeholders, test equality, and require that the item exists', () => {
    expect(buildUpdate<Thing>({ expect: { token: 'lease_1' }, set: { state: 'done', attempt: 2 } }, {})).toEqual({
      UpdateExpression: 'SET #state = :v1, #attempt = :v2',
      ConditionExpression: 'attribute_exists(pk) AND #token = :v0',
      ExpressionAttributeNames: { '#token': 'token', '#state': 'state', '#attempt': 'attempt' },
      ExpressionAttributeValues: { ':v0': 'lease_1', ':v1': 'done', ':v2': 2 },
    });
  });

  test('can require a value of a list, and a number below a bound', () => {
    expect(buildUpdate<Thing>({ expect: { state: ['a', 'b'], until: below(7) }, set: { attempt: 1 } }, {})).toEqual({
      UpdateExpression: 'SET #attempt = :v3',
      ConditionExpression: 'attribute_exists(pk) AND #state IN (:v0, :v1) AND #until < :v2',
      ExpressionAttributeNames: { '#state': 'state', '#until': 'until', '#attempt': 'attempt' },
      ExpressionAttributeValues: { ':v0': 'a', ':v1': 'b', ':v2': 7, ':v3': 1 },
    });
  });

  test('can require no number, or one below a bound', () => {
    const update = buildUpdate<Thing>({ expect: { until: nullOrBelow(7), attempt: 1 }, set: { state: 'done' } }, {});
    expect(update.ConditionExpression).toBe(
      'attribute_exists(pk) AND (#until = :v1 OR #until < :v0) AND #attempt = :v2',
    );
    expect(update.ExpressionAttributeValues).toEqual({ ':v0': 7, ':v1': null, ':v2': 1, ':v3': 'done' });
  });

  test('set and require null as null', () => {
    expect(buildUpdate<Thing>({ expect: { token: null }, set: { token: null } }, {})).toEqual({
      UpdateExpression: 'SET #token = :v1',
      ConditionExpression: 'attribute_exists(pk) AND #token = :v0',
      ExpressionAttributeNames: { '#token': 'token' },
      ExpressionAttributeValues: { ':v0': null, ':v1': null },
    });
  });

  test('remove an item from an index by removing its key, and move it by setting the key', () => {
    const removal = buildUpdate<Thing>({ expect: {}, set: { state: 'done' } }, { due_pk: null, due_sk: null });
    expect(removal.UpdateExpression).toBe('SET #state = :v0 REMOVE #due_pk, #due_sk');
    expect(removal.ConditionExpression).toBe('attribute_exists(pk)');
    expect(removal.ExpressionAttributeValues).toEqual({ ':v0': 'done' });

    const moving = buildUpdate<Thing>({ expect: {}, set: { state: 'pending' } }, { due_pk: 'due#3', due_sk: '2026' });
    expect(moving.UpdateExpression).toBe('SET #state = :v0, #due_pk = :v1, #due_sk = :v2');
    expect(moving.ExpressionAttributeValues).toEqual({ ':v0': 'pending', ':v1': 'due#3', ':v2': '2026' });
  });

  test('do not change undefined fields', () => {
    const update = buildUpdate<Thing>({ expect: {}, set: { state: 'done', note: undefined } }, {});
    expect(update.UpdateExpression).toBe('SET #state = :v0');
    expect(update.ExpressionAttributeNames).toEqual({ '#state': 'state' });
  });

  test('define exactly the placeholders that they use, because DynamoDB refuses others', () => {
    const job: DeliveryJob = {
      eventId: id('evt'),
      endpointId: id('whe'),
      mode: 'live',
      attempt: 0,
      redeliveries: 0,
      dueAt: null,
    };
    const update = buildUpdate<Delivery>(startAttempt(job, id('lease'), NOON), { due_pk: 'due#1', due_sk: null });
    const text = `${update.UpdateExpression} ${update.ConditionExpression}`;
    const used = (sigil: string) => [...new Set(text.match(new RegExp(`${sigil}\\w+`, 'g')))].sort();
    expect(used('#')).toEqual(Object.keys(update.ExpressionAttributeNames).sort());
    expect(used(':')).toEqual(Object.keys(update.ExpressionAttributeValues).sort());
  });
});

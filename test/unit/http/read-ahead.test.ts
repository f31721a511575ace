import * as z from 'zod';
import { contract } from '#shared/contract/kernel/contract.ts';
import type { Tenant } from '#shared/domain/kernel/tenant.ts';
import type { RequestState } from '#shared/http/kernel/types.ts';
import { admittedKeys } from '#shared/http/middlewares/admitted-keys.ts';
import { readAhead } from '#shared/http/middlewares/read-ahead.ts';
import { apiEvent } from '#test/support/worlds/api-event.ts';
import { NOON, OTHER_SHOP, SHOP, storedKey } from './examples.ts';

const showPlan = contract({
  method: 'GET',
  path: '/api/v1/savings-plans',
  summary: 'Show a savings plan.',
  keys: ['secret'],
  testOnly: false,
  idempotent: false,
  params: z.object({}),
  query: z.object({ saver: z.string('must be a string.') }),
  body: null,
  success: { status: 200, body: z.object({ status: z.literal(true) }) },
  refusals: [],
});

const KEY = storedKey({ businessId: SHOP, mode: 'test' });
const MINE: Tenant = { businessId: SHOP, mode: 'test' };
const INPUT = { params: {}, query: { saver: 'Aisha Bello' }, body: undefined as never };
const newState = (): RequestState<typeof showPlan> => ({ startedAt: NOON, requestId: 'req-1' });

/** An endpoint whose reads are noted, in a container that has admitted the key. */
const opened = () => {
  const reads: Tenant[] = [];
  const admitted = admittedKeys();
  admitted.add(KEY);
  const ahead = readAhead(showPlan, admitted, async (tenant) => {
    reads.push(tenant);
    return tenant;
  });
  const event = apiEvent({ method: 'GET', path: showPlan.path, query: { saver: 'Aisha Bello' } });
  return { ahead, admitted, reads, event };
};

describe('what is read ahead', () => {
  test('is taken once by the tenant that it was read for', async () => {
    const { ahead, reads, event } = opened();
    const state = newState();
    ahead.start(event, state, KEY.hash);
    expect(await ahead.take(state, MINE, INPUT)).toEqual(MINE);
    expect(reads).toHaveLength(1);
    await ahead.take(state, MINE, INPUT);
    expect(reads).toHaveLength(2);
  });

  test.each<[string, Tenant]>([
    ['another business', { businessId: OTHER_SHOP, mode: 'test' }],
    ['the other mode', { businessId: SHOP, mode: 'live' }],
  ])('is never taken by %s', async (_, other) => {
    const { ahead, reads, event } = opened();
    const state = newState();
    ahead.start(event, state, KEY.hash);
    expect(await ahead.take(state, other, INPUT)).toEqual(other);
    expect(reads).toEqual([MINE, other]);
  });

  test('is never taken by another request', async () => {
    const { ahead, reads, event } = opened();
    ahead.start(event, newState(), KEY.hash);
    await ahead.take(newState(), MINE, INPUT);
    expect(reads).toHaveLength(2);
  });

  test('is nothing for a key that was forgotten, has got a whitelist, or sends what is not valid', () => {
    const { ahead, admitted, reads, event } = opened();
    ahead.start({ ...event, queryStringParameters: {} }, newState(), KEY.hash);
    admitted.add({ ...KEY, ipWhitelist: ['41.58.0.9'] });
    ahead.start(event, newState(), KEY.hash);
    admitted.add(KEY);
    admitted.forget(KEY.hash);
    ahead.start(event, newState(), KEY.hash);
    expect(reads).toEqual([]);
  });
});

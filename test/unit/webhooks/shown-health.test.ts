import { type Breaker, healthyBreaker } from '#shared/webhooks/domain/breaker.ts';
import { toEndpointHealth } from '#shared/webhooks/domain/health.ts';
import { attemptLimit, oldestEndpointFirst } from '#shared/webhooks/domain/history.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const healthy = healthyBreaker({ endpointId: 'whe_01JD3N5Y8Z0000000000000000', mode: 'live' });
const outage = {
  since: NOON,
  failures: 1,
  rejections: 0,
  lastEventId: 'evt_01JD3N5Y8Z0000000000000000',
  lastAt: NOON,
  goneSince: null,
};
const FAILED = { failingSince: NOON, lastFailedEventId: outage.lastEventId };
const NOTHING_FAILED = { failingSince: null, lastFailedEventId: null };

describe('the health that a merchant reads of an endpoint', () => {
  test('says healthy if the endpoint has no breaker or its last attempt did not fail', () => {
    expect(toEndpointHealth(undefined)).toEqual({ status: 'healthy', ...NOTHING_FAILED });
    expect(toEndpointHealth(healthy)).toEqual({ status: 'healthy', ...NOTHING_FAILED });
  });

  test('says failing since the first failure while the breaker is closed', () => {
    expect(toEndpointHealth({ ...healthy, outage })).toEqual({ status: 'failing', ...FAILED });
  });

  test.each([
    ['open', 'suspended'],
    ['draining', 'recovering'],
  ])('translates a breaker that is %s to %s, with and without an outage', (state, status) => {
    expect(toEndpointHealth({ ...healthy, state, outage } as unknown as Breaker)).toEqual({ status, ...FAILED });
    expect(toEndpointHealth({ ...healthy, state, outage: null } as unknown as Breaker)).toEqual({
      status,
      ...NOTHING_FAILED,
    });
  });
});

describe('the deliveries of an event', () => {
  test('have the order in which their endpoints were created', () => {
    const ids = ['whe_03', 'whe_01', 'whe_02'].map((endpointId) => ({ endpointId }));
    expect(ids.toSorted(oldestEndpointFirst).map(({ endpointId }) => endpointId)).toEqual([
      'whe_01',
      'whe_02',
      'whe_03',
    ]);
    expect(oldestEndpointFirst({ endpointId: 'whe_01' }, { endpointId: 'whe_01' })).toBe(1);
  });

  test('show at most twenty attempts each, and a hundred together', () => {
    expect([0, 1, 5, 6, 20].map(attemptLimit)).toEqual([20, 20, 20, 16, 5]);
  });
});

import { DAY, MINUTE } from '#shared/platform/kernel/time.ts';
import { type Breaker, type Draining, healthyBreaker, type Open } from '#shared/webhooks/domain/breaker.ts';
import type { DeliveryJob, Lane } from '#shared/webhooks/domain/delivery.ts';
import { type DeliveryContext, type DeliveryPlan, planDelivery } from '#shared/webhooks/domain/delivery-plan.ts';
import { asDisabled, type WebhookEndpoint } from '#shared/webhooks/domain/endpoint.ts';
import { id, NOON, SHOP, storedEvent } from '#test/unit/api/examples.ts';

const [OTHER, SLOW_UNTIL] = [id('evt', 2), NOON + 1];
const event = storedEvent();
const endpoint: WebhookEndpoint = {
  id: id('whe'),
  businessId: SHOP,
  mode: 'test',
  url: 'https://hooks.example.com/',
  events: ['*'],
  enabled: true,
  secrets: [{ secret: `whsec_${'A'.repeat(43)}=`, until: null }],
  disabledAt: null,
  disabledReason: null,
  createdAt: NOON - DAY,
};
const off = (since: number) => asDisabled(endpoint, 'It answered 410 Gone twice.', since);

const job: DeliveryJob = {
  eventId: event.id,
  endpointId: endpoint.id,
  mode: 'live',
  attempt: 0,
  redeliveries: 0,
  dueAt: null,
};
const byHand: DeliveryJob = { ...job, byHand: true };
const parked: DeliveryJob = { ...job, parked: true };

const closed: Breaker = { ...healthyBreaker({ endpointId: endpoint.id, mode: 'test' }), version: 1 };
const whileParked = { lastReleasedId: null, emptyPolls: 0, dueAt: NOON + MINUTE };
const open = (canary: string | null): Open => ({ ...closed, ...whileParked, state: 'open', canary, probes: 1 });
const draining: Draining = { ...closed, ...whileParked, state: 'draining', stepSize: 60, canary: null };
const slow = <B extends Breaker>(breaker: B): B => ({ ...breaker, slowUntil: SLOW_UNTIL });

const park = (of: Partial<Extract<DeliveryPlan, { action: 'park' }>> = {}): DeliveryPlan => ({
  action: 'park',
  until: undefined,
  breakerEvent: undefined,
  ...of,
});
const go = (action: 'attempt' | 'reroute', elects = false): DeliveryPlan => ({
  action,
  event,
  endpoint,
  election: elects ? { kind: 'canary_elected', eventId: event.id, replaces: null, at: NOON } : undefined,
});
const due = park({ breakerEvent: { kind: 'parked_delivery_due', now: NOON } });
const breakerEvent = { kind: 'endpoint_disabled' } as const;

const plan = (of: Partial<DeliveryContext>, about: DeliveryJob = job, lane: Lane = 'first') =>
  planDelivery({ event, endpoint, breaker: undefined, ...of }, about, lane, NOON);

describe('the plan for a delivery', () => {
  test.each<[string, Partial<DeliveryContext>, DeliveryPlan]>([
    ['whose event is gone', { event: undefined }, { action: 'cancel' }],
    ['whose endpoint is gone', { endpoint: undefined }, { action: 'cancel' }],
    ['whose event and endpoint are gone', { event: undefined, endpoint: undefined }, { action: 'cancel' }],
    ['to an endpoint just switched off', { endpoint: off(NOON) }, park({ until: NOON + 30 * DAY, breakerEvent })],
    ['in the last moment of 30 days', { endpoint: off(NOON - 30 * DAY + 1) }, park({ until: NOON + 1, breakerEvent })],
    ['30 days after it was switched off', { endpoint: off(NOON - 30 * DAY) }, { action: 'give_up', breakerEvent }],
    [
      'to one switched off at an unknown time',
      { endpoint: { ...off(NOON), disabledAt: null } },
      park({ until: NOON + 30 * DAY, breakerEvent }),
    ],
  ])('%s does not depend on breaker, job or queue', (_, of, expected) => {
    for (const breaker of [undefined, closed, open(null), open(event.id), open(OTHER), draining, slow(closed)]) {
      for (const about of [job, byHand, parked]) {
        for (const lane of ['first', 'retry', 'slow'] as const) {
          expect(plan({ breaker, ...of }, about, lane)).toEqual(expected);
        }
      }
    }
  });

  test.each<[string, Breaker | undefined, forJob: DeliveryPlan, forByHand: DeliveryPlan, forParked: DeliveryPlan]>([
    ['without a breaker', undefined, go('attempt'), go('attempt'), due],
    ['with a closed breaker', closed, go('attempt'), go('attempt'), due],
    ['with a draining breaker', draining, go('attempt'), go('attempt'), due],
    ['whose breaker is open, with another canary', open(OTHER), park(), go('attempt'), park()],
    ['whose breaker is open, with this canary', open(event.id), go('attempt'), go('attempt'), go('attempt')],
    ['whose breaker is open, without a canary', open(null), go('attempt', true), go('attempt'), go('attempt', true)],
    ['that is slow', slow(closed), go('reroute'), go('reroute'), due],
    ['that is slow and draining', slow(draining), go('reroute'), go('reroute'), due],
    ['that is slow, with another canary', slow(open(OTHER)), park(), go('reroute'), park()],
    ['that is slow, without a canary', slow(open(null)), go('reroute', true), go('reroute'), go('reroute', true)],
    ['that was slow', { ...closed, slowUntil: NOON }, go('attempt'), go('attempt'), due],
  ])('to an endpoint %s', (_, breaker, forJob, forByHand, forParked) => {
    const plans = [job, byHand, parked].map((about) => plan({ breaker }, about));
    expect(plans).toEqual([forJob, forByHand, forParked]);
  });

  test.each(['first', 'retry'] as const)('moves from the %s queue to the slow one, and is attempted there', (lane) => {
    expect(plan({ breaker: slow(closed) }, job, lane).action).toBe('reroute');
    expect(plan({ breaker: slow(closed) }, job, 'slow')).toEqual(go('attempt'));
    expect(plan({ breaker: slow(open(null)) }, job, 'slow')).toEqual(go('attempt', true));
  });

  test('stays in the queue of test mode, and is attempted there', () => {
    expect(plan({ breaker: slow(closed) }, { ...job, mode: 'test' }, 'test')).toEqual(go('attempt'));
    // Sent to another queue by mistake, it is moved there.
    expect(plan({ breaker: slow(closed) }, { ...job, mode: 'test' }, 'retry')).toEqual(go('reroute'));
  });
});

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
const disable = (since: number) => asDisabled(endpoint, 'It answered 410 Gone twice.', since);

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

const park = (changes: Partial<Extract<DeliveryPlan, { action: 'park' }>> = {}): DeliveryPlan => ({
  action: 'park',
  until: undefined,
  breakerEvent: undefined,
  ...changes,
});
const planTo = (action: 'attempt' | 'reroute', elects = false): DeliveryPlan => ({
  action,
  event,
  endpoint,
  election: elects ? { kind: 'canary_elected', eventId: event.id, replaces: null, at: NOON } : undefined,
});
const parkAndDrain = park({ breakerEvent: { kind: 'parked_delivery_due', now: NOON } });
const breakerEvent = { kind: 'endpoint_disabled' } as const;

const plan = (context: Partial<DeliveryContext>, message: DeliveryJob = job, lane: Lane = 'first') =>
  planDelivery({ event, endpoint, breaker: undefined, ...context }, message, lane, NOON);

describe('the plan for a delivery', () => {
  test.each<[string, Partial<DeliveryContext>, DeliveryPlan]>([
    ['cancels the delivery if its event is gone', { event: undefined }, { action: 'cancel' }],
    ['cancels the delivery if its endpoint is gone', { endpoint: undefined }, { action: 'cancel' }],
    [
      'cancels the delivery if its event and endpoint are gone',
      { event: undefined, endpoint: undefined },
      { action: 'cancel' },
    ],
    [
      'parks the delivery for 30 days if its endpoint was just switched off',
      { endpoint: disable(NOON) },
      park({ until: NOON + 30 * DAY, breakerEvent }),
    ],
    [
      'parks the delivery until the last moment of 30 days after its endpoint was switched off',
      { endpoint: disable(NOON - 30 * DAY + 1) },
      park({ until: NOON + 1, breakerEvent }),
    ],
    [
      'gives the delivery up 30 days after its endpoint was switched off',
      { endpoint: disable(NOON - 30 * DAY) },
      { action: 'give_up', breakerEvent },
    ],
    [
      'parks the delivery for 30 days if its endpoint was switched off at an unknown time',
      { endpoint: { ...disable(NOON), disabledAt: null } },
      park({ until: NOON + 30 * DAY, breakerEvent }),
    ],
  ])('%s, whatever the breaker, job and queue are', (_, context, expected) => {
    for (const breaker of [undefined, closed, open(null), open(event.id), open(OTHER), draining, slow(closed)]) {
      for (const message of [job, byHand, parked]) {
        for (const lane of ['first', 'retry', 'slow'] as const) {
          expect(plan({ breaker, ...context }, message, lane)).toEqual(expected);
        }
      }
    }
  });

  test.each<[string, Breaker | undefined, forJob: DeliveryPlan, forByHand: DeliveryPlan, forParked: DeliveryPlan]>([
    ['has no breaker', undefined, planTo('attempt'), planTo('attempt'), parkAndDrain],
    ['has a closed breaker', closed, planTo('attempt'), planTo('attempt'), parkAndDrain],
    ['has a draining breaker', draining, planTo('attempt'), planTo('attempt'), parkAndDrain],
    ['has an open breaker with another canary', open(OTHER), park(), planTo('attempt'), park()],
    ['has an open breaker with this canary', open(event.id), planTo('attempt'), planTo('attempt'), planTo('attempt')],
    [
      'has an open breaker without a canary',
      open(null),
      planTo('attempt', true),
      planTo('attempt'),
      planTo('attempt', true),
    ],
    ['is slow', slow(closed), planTo('reroute'), planTo('reroute'), parkAndDrain],
    ['is slow and draining', slow(draining), planTo('reroute'), planTo('reroute'), parkAndDrain],
    ['is slow and has another canary', slow(open(OTHER)), park(), planTo('reroute'), park()],
    [
      'is slow and has no canary',
      slow(open(null)),
      planTo('reroute', true),
      planTo('reroute'),
      planTo('reroute', true),
    ],
    ['was slow before', { ...closed, slowUntil: NOON }, planTo('attempt'), planTo('attempt'), parkAndDrain],
  ])('follows the state of its endpoint: the endpoint %s', (_, breaker, forJob, forByHand, forParked) => {
    const plans = [job, byHand, parked].map((message) => plan({ breaker }, message));
    expect(plans).toEqual([forJob, forByHand, forParked]);
  });

  test.each(['first', 'retry'] as const)(
    'moves the delivery from the %s queue to the slow queue, and attempts it there',
    (lane) => {
      expect(plan({ breaker: slow(closed) }, job, lane).action).toBe('reroute');
      expect(plan({ breaker: slow(closed) }, job, 'slow')).toEqual(planTo('attempt'));
      expect(plan({ breaker: slow(open(null)) }, job, 'slow')).toEqual(planTo('attempt', true));
    },
  );

  test('attempts the delivery in the queue of test mode, even if its endpoint is slow', () => {
    expect(plan({ breaker: slow(closed) }, { ...job, mode: 'test' }, 'test')).toEqual(planTo('attempt'));
    // If the delivery was sent to another queue by mistake, it moves to the queue of test mode.
    expect(plan({ breaker: slow(closed) }, { ...job, mode: 'test' }, 'retry')).toEqual(planTo('reroute'));
  });
});

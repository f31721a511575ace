import {
  attemptAnswer,
  deliveryAnswer,
  eventWithDeliveries,
  listedDelivery,
  listedEvent,
  undeliveredDelivery,
} from '#shared/webhooks/contract/delivery-answer.ts';
import { testMessage } from '#shared/webhooks/contract/webhooks.ts';
import { component } from './component.ts';

/** The descriptions of an event's fields, for answers and webhooks. */
export const eventFields = {
  id: 'Identifies the event. It is the `webhook-id` header of every attempt to deliver it.',
  type: 'The type of the event.',
  timestamp: 'The time when it happened.',
  mode: 'The mode that it happened in.',
  business_id: 'The id of your business.',
  example:
    'True for an example that you requested with **Test a webhook endpoint**: its data is not real. Absent in every other event.',
  data: 'The object of the event, in its state at that time. Its form depends on `type`: see *Webhooks*.',
};

const deliveryFields = {
  id: 'Identifies the delivery.',
  endpoint_id: 'The endpoint that it goes to.',
  status:
    '`pending`: waits for its next attempt. `delivering`: is being sent. `parked`: waits because its endpoint keeps failing or is disabled. `succeeded`: your server answered with a 2xx. `exhausted`: given up 72 hours after the first attempt; you can still send it by hand. `cancelled`: its endpoint was deleted.',
  next_attempt_at: 'The time of the next attempt; null if none is planned.',
};

/** The components of events and their deliveries. */
export const EVENT_COMPONENTS = [
  component(listedEvent, 'Event', 'Something that happened. Without `deliveries` it is the body of its webhooks.', {
    ...eventFields,
    deliveries: 'One delivery for each endpoint that the event went to. Only present with `deliveries=true`.',
  }),
  component(eventWithDeliveries, 'EventWithDeliveries', 'An event with its deliveries.', {
    ...eventFields,
    deliveries: 'One delivery for each endpoint that the event went to.',
  }),
  component(listedDelivery, 'ListedDelivery', 'The delivery of an event to an endpoint, in a list.', deliveryFields),
  component(deliveryAnswer, 'Delivery', 'The delivery of an event to an endpoint.', {
    ...deliveryFields,
    attempts:
      'The newest attempts, in the order in which they were made: at most 20 of a delivery, and 100 of an event. The answer of **Redeliver an event** only has the last one.',
  }),
  component(undeliveredDelivery, 'WaitingDelivery', 'A delivery that has not arrived.', {
    id: 'Identifies the delivery.',
    event_id: 'The event that it delivers.',
    event_type: 'The type of that event.',
    status:
      '`parked`: waits because its endpoint keeps failing or is disabled. `exhausted`: given up 72 hours after the first attempt.',
    attempts: 'The number of attempts so far.',
    last_attempt: 'The last attempt; null if there was none.',
    next_attempt_at:
      'The time of the next attempt; null if none is planned. A `parked` delivery has none: it is sent when the endpoint answers with a 2xx again.',
  }),
  component(attemptAnswer, 'Attempt', 'One POST to an endpoint, and its result.', {
    number: 'The number of the attempt, from 1.',
    at: 'The time when it was made.',
    status_code: 'The HTTP status of your server’s answer; null if there was no answer.',
    duration_ms: 'The duration in milliseconds.',
    error: 'A sentence that says why there was no answer; null if there was one, whatever its status.',
    response: 'The first KiB of your server’s answer; null if there was no answer.',
  }),
  component(testMessage, 'TestMessage', 'The data of a test webhook.', { message: 'A sentence for people.' }),
];

import { success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { eventId, nothing } from '#shared/platform/contract/params.ts';
import { eventWithDeliveries } from './delivery-answer.ts';

/** GET /events/{id} */
export const getEventContract = contract({
  method: 'GET',
  path: '/api/v1/events/{id}',
  summary: 'Get one event with its deliveries and their attempts.',
  keys: ['secret'],
  session: 'viewer',
  testOnly: false,
  idempotent: false,
  params: eventId,
  query: nothing,
  body: null,
  success: { status: 200, body: success(eventWithDeliveries) },
  errors: ['event_not_found'],
});

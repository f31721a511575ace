import { findExampleEvent } from '#infra/openapi/examples/events.ts';
import { serialise } from '#shared/api/http/answer.ts';
import { AnswerTooLarge, ensureStorable, MAX_ANSWER_BYTES } from '#shared/api/http/storable.ts';
import type { StoredAnswer } from '#shared/platform/requests/ports.ts';
import { redeliveryReply } from '#shared/webhooks/api/event-reply.ts';
import { redeliverEventContract } from '#shared/webhooks/contract/redeliver-event.ts';
import { lateDelivery } from '#shared/webhooks/domain/delivery.ts';
import { newEvent } from '#shared/webhooks/domain/event.ts';
import { attemptLimit, MAX_ATTEMPTS_SHOWN, MAX_DELIVERIES_SHOWN } from '#shared/webhooks/domain/history.ts';

const ULID = '01KDVDNX1Q0Y8J6W6KZ0H3S5TA';
const answerWith = (body: string): StoredAnswer => ({
  scope: 'scope',
  requestId: 'request',
  fingerprint: 'fingerprint',
  status: 202,
  body,
  createdAt: 0,
});

describe('an answer under an Idempotency-Key', () => {
  test('may have 300,000 bytes, which fits into an item of the table', () => {
    const largest = answerWith('a'.repeat(MAX_ANSWER_BYTES));
    expect(ensureStorable(largest)).toBe(largest);
    expect(MAX_ANSWER_BYTES).toBe(300_000);
  });

  test.each([
    ['300,001 bytes', 'a'.repeat(MAX_ANSWER_BYTES + 1)],
    ['300,002 bytes in 150,001 letters', 'é'.repeat(MAX_ANSWER_BYTES / 2 + 1)],
  ])('cannot be stored with %s', (_, body) => {
    expect(() => ensureStorable(answerWith(body))).toThrow(AnswerTooLarge);
  });

  test('has at most a seventh of the largest size if it is about a redelivered event, whatever its attempts and responses', () => {
    const about = { businessId: `biz_${ULID}`, mode: 'test', createdAt: 0 } as const;
    const event = newEvent(
      { ...about, id: `evt_${ULID}`, type: 'checkout.paid' },
      findExampleEvent('checkout.paid').data,
    );
    // JSON writes each of these characters with six letters, so no other response is larger as JSON.
    const response = '\u0001'.repeat(1_024);
    const lastAttempt = { number: 999_999, at: 0, statusCode: 500, durationMs: 15_000, error: 'x', response };
    const delivery = { ...lateDelivery(`dlv_${ULID}`, `whe_${ULID}`, event, 0), lastAttempt };
    const { body } = serialise(redeliverEventContract, redeliveryReply({ event, deliveries: Array(5).fill(delivery) }));
    expect(body.length).toBeGreaterThan(5 * 6 * 1_024);
    expect(body.length).toBeLessThan(MAX_ANSWER_BYTES / 7);
  });
});

test.each([
  [0, 20],
  [1, 20],
  [5, 20],
  [6, 16],
  [20, 5],
])('an event with %d deliveries shows %d attempts of each', (deliveries, attempts) => {
  expect(attemptLimit(deliveries)).toBe(attempts);
  expect(attempts * Math.min(deliveries, MAX_DELIVERIES_SHOWN)).toBeLessThanOrEqual(MAX_ATTEMPTS_SHOWN);
});

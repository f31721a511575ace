import type { ApiAnswer } from './api-client.ts';

/* Answers to requests with an Idempotency-Key. */

export const IN_PROGRESS = {
  status: 409,
  headers: { 'retry-after': expect.stringMatching(/^[1-5]$/) },
  json: { code: 'idempotency_in_progress' },
};
export const KEY_REUSED = { status: 422, json: { code: 'idempotency_key_reused' } };

/** Makes the expected replay of a stored answer. */
export const expectReplay = ({ status, text }: Pick<ApiAnswer, 'status' | 'text'>) => ({
  status,
  text,
  headers: { 'idempotent-replayed': 'true' },
});

/**
 * Expects that one of identical concurrent requests was carried out, and that every other request came too early (409) or got the answer of that
 * one. Returns that answer.
 */
export const expectOneCreation = (answers: readonly ApiAnswer[]): ApiAnswer => {
  const created = answers.filter(({ status }) => status === 201);
  const early = answers.filter(({ status }) => status === 409);
  expect(created.length + early.length).toBe(answers.length);
  expect(new Set(created.map(({ text }) => text)).size).toBe(1);
  const [first, ...others] = created.filter(({ headers }) => headers['idempotent-replayed'] === undefined);
  expect(others).toEqual([]);
  for (const { json, headers } of early) {
    expect(json.code).toBe('idempotency_in_progress');
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
  }
  if (!first) throw new Error('Every answer is a replay.');
  return first;
};

/** Makes the checkout that an event has from the checkout of an answer: leaves out the URLs of the payment page and of the way back. */
// biome-ignore lint/suspicious/noExplicitAny: an answer's JSON, as a test reads it.
export const toEventCheckout = ({ checkout_url: _, callback_url: __, cancel_url: ___, ...checkout }: any) => checkout;

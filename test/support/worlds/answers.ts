import type { ApiAnswer } from './api-client.ts';

/* Answers to requests with an Idempotency-Key. */

export const IN_PROGRESS = {
  status: 409,
  headers: { 'retry-after': expect.stringMatching(/^[1-5]$/) },
  json: { code: 'idempotency_in_progress' },
};
export const KEY_REUSED = { status: 422, json: { code: 'idempotency_key_reused' } };

/** A stored answer that was given again. */
export const replayOf = ({ status, text }: Pick<ApiAnswer, 'status' | 'text'>) => ({
  status,
  text,
  headers: { 'idempotent-replayed': 'true' },
});

/** Expects that of identical requests at once one was carried out; the others came early, or got its answer. Returns that answer. */
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

/** A checkout of an answer as events and operators see it: without the address of its page and where that leads to. */
// biome-ignore lint/suspicious/noExplicitAny: an answer's JSON, as a test reads it.
export const inEvent = ({ checkout_url: _, callback_url: __, cancel_url: ___, ...checkout }: any) => checkout;

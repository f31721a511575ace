import type { Answer } from '#infra/local/gateway/answer.ts';
import { limitConcurrency } from '#infra/local/gateway/concurrency.ts';

const MOST = 4;
const DONE: Answer = { status: 200, headers: {}, cookies: [], body: '' };
const SIMULATE = { name: 'simulate-checkout-payment' };

/** Makes requests to a function that end when the test says so. */
const flood = (waitMs: number) => {
  const limit = limitConcurrency(MOST, waitMs);
  const working: { id: string; end: () => void; fail: () => void }[] = [];
  const ask = (id: string, spec = SIMULATE): Promise<Answer> =>
    limit.inTurn(
      spec,
      id,
      () =>
        new Promise((resolve, reject) => {
          working.push({ id, end: () => resolve(DONE), fail: () => reject(new Error('It broke.')) });
        }),
    );
  return {
    ask,
    working,
    answerIfFull: (id: string, spec = SIMULATE) => limit.answerIfFull(spec, id),
    ids: () => working.map(({ id }) => id),
  };
};
const NEVER = 3_600_000;
const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `r${i + 1}`);
const waitForTurns = () => new Promise((resolve) => setImmediate(resolve));

describe('a function of the local stack', () => {
  test('handles as many requests at the same time as it may, lets three times as many wait, and refuses the others immediately', async () => {
    const { ask, ids } = flood(NEVER);
    const answers = numbered(20).map((id) => ask(id));
    await waitForTurns();
    expect(ids()).toEqual(['r1', 'r2', 'r3', 'r4']);
    for (const refused of await Promise.all(answers.slice(4 * MOST))) {
      expect(refused).toMatchObject({
        status: 503,
        headers: { 'retry-after': '1', 'x-request-id': expect.any(String) },
      });
      expect(JSON.parse(String(refused.body))).toMatchObject({ status: false, code: 'service_unavailable' });
    }
  });

  test('refuses a request before it is read, if no more may wait', async () => {
    const { ask, working, answerIfFull } = flood(NEVER);
    for (const id of numbered(4 * MOST - 1)) void ask(id);
    expect(answerIfFull('early')).toBeUndefined();
    void ask('last');
    expect(answerIfFull('late')).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1', 'x-request-id': 'late' },
    });
    expect(answerIfFull('other', { name: 'verify-checkout' })).toBeUndefined();
    await waitForTurns();
    working[0]?.end();
    await waitForTurns();
    expect(answerIfFull('later')).toBeUndefined();
  });

  test('takes waiting requests in the order of their arrival, also after a failed one', async () => {
    const { ask, working, ids } = flood(NEVER);
    const answers = numbered(6).map((id) => ask(id));
    await waitForTurns();
    working[1]?.fail();
    await expect(answers[1]).rejects.toThrow('It broke.');
    await waitForTurns();
    expect(ids()).toEqual(['r1', 'r2', 'r3', 'r4', 'r5']);
    working[0]?.end();
    expect(await answers[0]).toBe(DONE);
    await waitForTurns();
    expect(ids().at(-1)).toBe('r6');
  });

  test('refuses a request that got no turn in time, and gives it no turn later', async () => {
    const { ask, working, ids } = flood(1);
    const answers = numbered(5).map((id) => ask(id));
    expect((await answers[4])?.status).toBe(503);
    for (const { end } of working) end();
    await Promise.all(answers);
    expect(ids()).toEqual(['r1', 'r2', 'r3', 'r4']);
    void ask('r6');
    await waitForTurns();
    expect(ids().at(-1)).toBe('r6');
  });

  test('does not wait for another function', async () => {
    const { ask, ids } = flood(NEVER);
    for (const id of numbered(20)) void ask(id);
    void ask('other', { name: 'verify-checkout' });
    await waitForTurns();
    expect(ids().at(-1)).toBe('other');
  });
});

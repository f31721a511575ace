import type { Answer } from '#infra/local/gateway/answer.ts';
import { limitConcurrency } from '#infra/local/gateway/concurrency.ts';

const MOST = 4;
const DONE: Answer = { status: 200, headers: {}, cookies: [], body: '' };
const SIMULATE = { name: 'simulate-checkout-payment' };

/** Requests to one function that end when they are told to. */
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
    refusal: (id: string, spec = SIMULATE) => limit.answerIfFull(spec, id),
    ids: () => working.map(({ id }) => id),
  };
};
const NEVER = 3_600_000;
const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `r${i + 1}`);
const turnsAreGiven = () => new Promise((resolve) => setImmediate(resolve));

describe('a function of the local stack', () => {
  test('works on as many requests at once as it may, lets three times that number wait and refuses the others immediately', async () => {
    const { ask, ids } = flood(NEVER);
    const answers = numbered(20).map((id) => ask(id));
    await turnsAreGiven();
    expect(ids()).toEqual(['r1', 'r2', 'r3', 'r4']);
    for (const refused of await Promise.all(answers.slice(4 * MOST))) {
      expect(refused).toMatchObject({
        status: 503,
        headers: { 'retry-after': '1', 'x-request-id': expect.any(String) },
      });
      expect(JSON.parse(String(refused.body))).toMatchObject({ status: false, code: 'service_unavailable' });
    }
  });

  test('is known to be full before a request is read', async () => {
    const { ask, working, refusal: expectedError } = flood(NEVER);
    for (const id of numbered(4 * MOST - 1)) void ask(id);
    expect(expectedError('early')).toBeUndefined();
    void ask('last');
    expect(expectedError('late')).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1', 'x-request-id': 'late' },
    });
    expect(expectedError('other', { name: 'verify-checkout' })).toBeUndefined();
    await turnsAreGiven();
    working[0]?.end();
    await turnsAreGiven();
    expect(expectedError('later')).toBeUndefined();
  });

  test('takes those that wait in the order of their arrival, also after one that failed', async () => {
    const { ask, working, ids } = flood(NEVER);
    const answers = numbered(6).map((id) => ask(id));
    await turnsAreGiven();
    working[1]?.fail();
    await expect(answers[1]).rejects.toThrow('It broke.');
    await turnsAreGiven();
    expect(ids()).toEqual(['r1', 'r2', 'r3', 'r4', 'r5']);
    working[0]?.end();
    expect(await answers[0]).toBe(DONE);
    await turnsAreGiven();
    expect(ids().at(-1)).toBe('r6');
  });

  test('refuses what got no turn in time, which then takes none', async () => {
    const { ask, working, ids } = flood(1);
    const answers = numbered(5).map((id) => ask(id));
    expect((await answers[4])?.status).toBe(503);
    for (const { end } of working) end();
    await Promise.all(answers);
    expect(ids()).toEqual(['r1', 'r2', 'r3', 'r4']);
    void ask('r6');
    await turnsAreGiven();
    expect(ids().at(-1)).toBe('r6');
  });

  test('is not held up by another one', async () => {
    const { ask, ids } = flood(NEVER);
    for (const id of numbered(20)) void ask(id);
    void ask('other', { name: 'verify-checkout' });
    await turnsAreGiven();
    expect(ids().at(-1)).toBe('other');
  });
});

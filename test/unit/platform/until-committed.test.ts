import { type CommitResult, untilCommitted } from '#shared/platform/until-committed.ts';

describe('the loop that records money', () => {
  /** Runs attempts with these outcomes, one after the other. Returns the result, the pauses between the attempts, and how many there were. */
  const run = async (...outcomes: readonly CommitResult<string>[]) => {
    const pauses: number[] = [];
    let next = 0;
    const runtime = {
      pause: async (attempt: number) => {
        pauses.push(attempt);
      },
    };
    const attempt = async (): Promise<CommitResult<string>> => {
      next += 1;
      return outcomes[Math.min(next, outcomes.length) - 1] ?? 'conflict';
    };
    const result = await untilCommitted(runtime, attempt).catch(({ code }) => code as string);
    return { result, pauses, attempts: next };
  };

  test('ends with the first attempt that is done', async () => {
    expect(await run({ done: 'landed' })).toEqual({ result: 'landed', pauses: [], attempts: 1 });
  });

  test('starts over after a conflict, with a longer pause each time', async () => {
    const { result, pauses } = await run('conflict', 'conflict', { done: 'landed' });
    expect({ result, pauses }).toEqual({ result: 'landed', pauses: [1, 2] });
  });

  test('continues at once, any number of times, if there is more to record', async () => {
    const steps = Array.from({ length: 100 }, () => 'continue' as const);
    expect(await run(...steps, { done: 'landed' })).toEqual({ result: 'landed', pauses: [], attempts: 101 });
  });

  test('gives up after thirty conflicts', async () => {
    expect(await run('conflict')).toMatchObject({ result: 'service_unavailable', attempts: 30 });
  });
});

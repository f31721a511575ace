import { type CommitResult, untilCommitted } from '#shared/platform/until-committed.ts';

describe('the loop in which money is recorded', () => {
  /** Runs attempts that come to these outcomes one after the other; returns the pauses between them. */
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

  test('goes on at once where there is more to record, however often', async () => {
    const steps = Array.from({ length: 100 }, () => 'continue' as const);
    expect(await run(...steps, { done: 'landed' })).toEqual({ result: 'landed', pauses: [], attempts: 101 });
  });

  test('gives up after thirty conflicts', async () => {
    expect(await run('conflict')).toMatchObject({ result: 'service_unavailable', attempts: 30 });
  });
});

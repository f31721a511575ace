import { OutcomeUnknown } from '#shared/domain/providers/errors.ts';
import type { Runtime } from '#shared/ports/kernel.ts';

/** The result of a provider's work, or OutcomeUnknown after so many milliseconds, whatever the single calls are allowed. */
export const withTimeout = async <T>(
  { wait }: Pick<Runtime, 'wait'>,
  milliseconds: number,
  work: Promise<T>,
): Promise<T> =>
  Promise.race([
    work,
    wait(milliseconds).then(() => {
      throw new OutcomeUnknown('It took too long.');
    }),
  ]);

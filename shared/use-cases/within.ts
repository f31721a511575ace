import { OutcomeUnknown } from '#shared/domain/provider-errors.ts';
import type { Nature } from '#shared/ports.ts';

/** The result of a provider's work, or OutcomeUnknown after so many milliseconds, whatever the single calls are allowed. */
export const within = async <T>({ wait }: Pick<Nature, 'wait'>, milliseconds: number, work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    wait(milliseconds).then(() => {
      throw new OutcomeUnknown('It took too long.');
    }),
  ]);

import type { Runtime } from '#shared/platform/ports.ts';
import { OutcomeUnknown } from '#shared/providers/domain/errors.ts';

/** The result of work at a provider. @throws OutcomeUnknown after `milliseconds`, even while its single calls have time left; `giveUp` is called then. */
export const withTimeout = async <T>(
  { wait }: Pick<Runtime, 'wait'>,
  milliseconds: number,
  work: Promise<T>,
  giveUp?: () => unknown,
): Promise<T> => {
  let isDone = false;
  const ended = () => {
    isDone = true;
  };
  work.then(ended, ended);
  return Promise.race([
    work,
    wait(milliseconds).then(() => {
      if (!isDone) giveUp?.();
      throw new OutcomeUnknown('It took too long.');
    }),
  ]);
};

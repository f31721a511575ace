import type { Runtime } from '#shared/platform/ports.ts';
import { OutcomeUnknown } from '#shared/providers/domain/errors.ts';

/** Waits for work at a provider. @throws OutcomeUnknown after `milliseconds`, even if a call of that work has time left. */
export const withTimeout = async <T>(
  { wait }: Pick<Runtime, 'wait'>,
  milliseconds: number,
  work: Promise<T>,
): Promise<T> =>
  Promise.race([
    work,
    wait(milliseconds).then(() => {
      throw new OutcomeUnknown('The provider took too long.');
    }),
  ]);

import { DependencyUnavailable } from '#shared/platform/kernel/errors.ts';
import { runtime } from '#shared/platform/runtime.ts';

const MAX_ATTEMPTS = 10;

/**
 * Repeats a write that failed for a temporary reason, with growing pauses. @throws DependencyUnavailable if the tenth attempt fails for such
 * a reason.
 */
export const retryTemporary = async <T>(
  write: () => Promise<T>,
  isTemporary: (error: unknown) => boolean,
): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (!isTemporary(error)) throw error;
      if (attempt === MAX_ATTEMPTS)
        throw new DependencyUnavailable('A write conflicted with other writes on every attempt.', error);
      await runtime.pause(attempt);
    }
  }
};

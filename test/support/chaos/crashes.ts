/** Ends a run whose process crashed. The message is the step. */
export class Crashed extends Error {}

/** Returns a promise that never settles. A crashed process waits for it. */
export const never = (): Promise<never> => new Promise<never>(() => {});

/**
 * Simulates one process. The work calls `isOver` at each of its steps, and waits for `never` if `isOver` returns true. The process crashes at
 * the first step for which `crashesAt` returns true, and does nothing afterwards.
 */
export const startProcess = (crashesAt: (step: string) => boolean) => {
  let crashed = false;
  let reportCrash = (_: Crashed): void => {};
  const crash = new Promise<never>((_, reject) => {
    reportCrash = reject;
  });
  // If no code awaits the crashing process, this avoids an unhandled rejection.
  crash.catch(() => {});
  return {
    isOver: (step: string): boolean => {
      if (!crashed && crashesAt(step)) {
        crashed = true;
        reportCrash(new Crashed(step));
      }
      return crashed;
    },
    /** Resolves with the result of the work. Rejects with Crashed when the process crashes before that. */
    run: <T>(work: Promise<T>): Promise<T> => Promise.race([work, crash]),
  };
};

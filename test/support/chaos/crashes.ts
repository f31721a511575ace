/** What a run ends with whose process crashed; its message is the step. */
export class Crashed extends Error {}

/** What a crashed process waits for. */
export const never = (): Promise<never> => new Promise<never>(() => {});

/**
 * One process, simulated: work that asks `isOver` at each of its steps, and waits for `never` where it is. It crashes at the first
 * step for which `crashesAt` says so. What it waits for never comes, and nothing that it would do afterwards is done.
 */
export const startProcess = (crashesAt: (step: string) => boolean) => {
  let crashed = false;
  let reportCrash = (_: Crashed): void => {};
  const crash = new Promise<never>((_, reject) => {
    reportCrash = reject;
  });
  // A process whose work nobody awaits may crash, too.
  crash.catch(() => {});
  return {
    isOver: (step: string): boolean => {
      if (!crashed && crashesAt(step)) {
        crashed = true;
        reportCrash(new Crashed(step));
      }
      return crashed;
    },
    /** Resolves with what the work comes to; throws Crashed when the process crashes before that. */
    run: <T>(work: Promise<T>): Promise<T> => Promise.race([work, crash]),
  };
};

type Step = () => void | Promise<void>;

/** What has to be undone at the end, newest first. */
export interface Cleanup {
  add(step: Step): void;
  /** Undoes everything once. A step that fails does not keep the others from running. */
  run(): Promise<void>;
}

/** An empty list of things to undo. */
export const newCleanup = (): Cleanup => {
  const steps: Step[] = [];
  return {
    add: (step) => {
      steps.push(step);
    },
    run: async () => {
      for (let step = steps.pop(); step; step = steps.pop()) {
        try {
          await step();
        } catch {
          // The process is ending: there is nothing left to do about it.
        }
      }
    },
  };
};

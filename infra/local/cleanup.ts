type Step = () => void | Promise<void>;

/** Steps that run when the process ends. They undo its start, the newest step first. */
export interface Cleanup {
  add(step: Step): void;
  /** Runs every step once. If one fails, the others still run. */
  run(): Promise<void>;
}

/** Makes a cleanup without steps. */
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
          // The process is ending, so an error changes nothing.
        }
      }
    },
  };
};

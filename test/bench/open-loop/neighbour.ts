import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Works for a third of each 30 ms. */
const BUSY_A_THIRD = `
  const work = () => { const until = performance.now() + 10; while (performance.now() < until); };
  setInterval(work, 30);
`;

/** Starts one process for each processor that is busy for a third of the time. */
export const startNeighbour = () => {
  const children = Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ['-e', BUSY_A_THIRD]));
  return {
    stop: (): void => {
      for (const child of children) child.kill('SIGKILL');
    },
  };
};

import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Uses a third of a processor's time, also where it has to compete for it. */
const BUSY_A_THIRD = `
  const begin = performance.now();
  const work = () => {
    const owed = (performance.now() - begin) / 3;
    while (process.cpuUsage().user / 1_000 < owed) for (let i = 0; i < 10_000; i++);
  };
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

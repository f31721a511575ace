import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

/** Describes the machine of a run in one line. Figures without their machine mean nothing. */
export const describeMachine = (): string =>
  `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown CPU'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, load ${(loadavg()[0] ?? 0).toFixed(1)} before it began`;

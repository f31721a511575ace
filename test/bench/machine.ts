import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

/** What a run ran on, in a line: a figure without it says nothing. */
export const machineLine = (): string =>
  `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown CPU'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, load ${(loadavg()[0] ?? 0).toFixed(1)} before it began`;

const processorTimes = () =>
  cpus().reduce(
    (sum, { times: { idle, user, nice, sys, irq } }) => ({
      busy: sum.busy + user + nice + sys + irq,
      all: sum.all + user + nice + sys + irq + idle,
    }),
    { busy: 0, all: 0 },
  );

/** Watches from now on; gives how much of this machine's processors was in use until it is called, in per cent. */
export const watchProcessors = (): (() => number) => {
  const before = processorTimes();
  return () => {
    const { busy, all } = processorTimes();
    return Math.round((100 * (busy - before.busy)) / (all - before.all));
  };
};

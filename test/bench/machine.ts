import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

/** The machine of a run, in one line, without which its figures mean nothing. */
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

/** Starts measuring. The returned function gives the processors' use since then, in per cent. */
export const watchProcessors = (): (() => number) => {
  const before = processorTimes();
  return () => {
    const { busy, all } = processorTimes();
    return Math.round((100 * (busy - before.busy)) / (all - before.all));
  };
};

import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/* Processor time by process, as Linux accounts for it in /proc. */

/** Clock ticks of /proc in a second: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

interface Process {
  readonly name: string;
  readonly parent: number;
  readonly seconds: number;
}

/** What /proc says of a process or thread; undefined once it has ended. */
const readStat = (path: string): Process | undefined => {
  let stat: string;
  try {
    stat = readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
  // The name stands in brackets and may hold anything, so what follows is counted from its end.
  const end = stat.lastIndexOf(')');
  const fields = stat.slice(end + 2).split(' ');
  return {
    name: stat.slice(stat.indexOf('(') + 1, end),
    parent: Number(fields[1]),
    seconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
  };
};

const isNumber = (name: string): boolean => /^\d+$/.test(name);

/** A process and all that it has started, by process id. */
const familyOf = (root: number): ReadonlyMap<number, Process> => {
  const all = new Map<number, Process>();
  for (const name of readdirSync('/proc').filter(isNumber)) {
    const found = readStat(`/proc/${name}/stat`);
    if (found) all.set(Number(name), found);
  }
  const isOfFamily = (pid: number): boolean => {
    if (pid === root) return true;
    const parent = all.get(pid)?.parent;
    return parent !== undefined && parent > 1 && isOfFamily(parent);
  };
  return new Map([...all].filter(([pid]) => isOfFamily(pid)));
};

/** Processor seconds of each thread of these processes, by `process id/thread id`. */
const threadsOf = (pids: Iterable<number>): Map<string, Process> => {
  const threads = new Map<string, Process>();
  for (const pid of pids) {
    let names: string[] = [];
    try {
      names = readdirSync(`/proc/${pid}/task`);
    } catch {
      // It has ended.
    }
    for (const tid of names) {
      const found = readStat(`/proc/${pid}/task/${tid}/stat`);
      if (found) threads.set(`${pid}/${tid}`, found);
    }
  }
  return threads;
};

const busySeconds = (): number =>
  cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1_000;

/** Processor seconds since a measurement began. */
export interface ProcessorTime {
  /** Of the process that is measured and all that it has started. */
  readonly measured: number;
  /** The same by thread, the busiest first. */
  readonly threads: readonly { readonly name: string; readonly seconds: number }[];
  /** Of this process: load and receivers. */
  readonly load: number;
  /** Of everything else on the machine. */
  readonly others: number;
}

/** Starts measuring a process with all that it has started. The returned function gives the processor time since then. */
export const watchProcess = (pid: number): (() => ProcessorTime) => {
  const threadsBefore = threadsOf(familyOf(pid).keys());
  const sum = (of: ReadonlyMap<number, Process>): number =>
    [...of.values()].reduce((all, { seconds }) => all + seconds, 0);
  const measuredBefore = sum(familyOf(pid));
  const busyBefore = busySeconds();
  const loadBefore = process.cpuUsage();
  return () => {
    const family = familyOf(pid);
    const measured = sum(family) - measuredBefore;
    const { user, system } = process.cpuUsage(loadBefore);
    const load = (user + system) / 1e6;
    const threads = [...threadsOf(family.keys())]
      .map(([id, { name, seconds }]) => ({
        name: `${name} ${id}`,
        seconds: seconds - (threadsBefore.get(id)?.seconds ?? 0),
      }))
      .toSorted((a, b) => b.seconds - a.seconds);
    return { measured, threads, load, others: Math.max(0, busySeconds() - busyBefore - measured - load) };
  };
};

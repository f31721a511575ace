import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Megabytes of memory that give a function in Lambda one whole processor. Less memory gives that share of it. */
const MB_OF_A_PROCESSOR = 1_769;
/** Microseconds: the default period of a cgroup. */
const PERIOD = 100_000;

const V1 = '/sys/fs/cgroup/cpu';
const V2 = '/sys/fs/cgroup';

export interface ProcessorShare {
  /** Limits a process with all its threads to the share. */
  readonly hold: (pid: number) => void;
  readonly remove: () => void;
}

/**
 * Opens a control group of the kernel with the processor share that this memory size has in Lambda. Needs write access to /sys/fs/cgroup.
 * @throws Error that says what is missing.
 */
export const openShare = (memoryMb: number): ProcessorShare => {
  const isV2 = existsSync(join(V2, 'cgroup.controllers'));
  const group = join(isV2 ? V2 : V1, `payments-bench-${process.pid}-${memoryMb}`);
  const quota = Math.round((PERIOD * memoryMb) / MB_OF_A_PROCESSOR);
  try {
    if (isV2 && !readFileSync(join(V2, 'cgroup.subtree_control'), 'utf8').split(/\s/).includes('cpu')) {
      writeFileSync(join(V2, 'cgroup.subtree_control'), '+cpu');
    }
    mkdirSync(group);
    if (isV2) writeFileSync(join(group, 'cpu.max'), `${quota} ${PERIOD}`);
    else {
      writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD));
      writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quota));
    }
  } catch (error) {
    if (existsSync(group)) rmdirSync(group);
    throw new Error(`This user may not limit processor time with cgroups at ${group}. Run it as root on Linux.`, {
      cause: error,
    });
  }
  return {
    hold: (pid) => writeFileSync(join(group, 'cgroup.procs'), String(pid)),
    remove: () => rmdirSync(group),
  };
};

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS = 20;
const SIGTERM_GRACE_MS = 2_000;

/** From /proc/<pid>/stat: the third field is the state, the 22nd the start time. The second, the name, may hold spaces. */
const startOnLinux = (pid: number): string | undefined => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie has ended; nobody has asked for its exit code yet.
  return state === 'Z' ? undefined : fields[18];
};

const startElsewhere = (pid: number): string | undefined => {
  const [state, ...start] = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/);
  return state?.startsWith('Z') ? undefined : start.join(' ');
};

/** When a process started, in the operating system's own words; undefined when there is none with this number. */
const readStartTime = (pid: number): string | undefined => {
  try {
    return process.platform === 'linux' ? startOnLinux(pid) : startElsewhere(pid);
  } catch {
    return undefined;
  }
};

/** Whether a process with this number runs. */
export const isRunning = (pid: number): boolean => readStartTime(pid) !== undefined;

/** The process number with its start time, which differ from those of a later process with the same number; for writing to a file. */
export const formatMark = (pid: number): string => `${pid} ${readStartTime(pid) ?? ''}`;

/** The number of the very process that a mark was made of, or undefined when it has ended. */
export const runningPid = (mark: string): number | undefined => {
  const pid = Number.parseInt(mark, 10);
  return pid > 0 && isRunning(pid) && formatMark(pid) === mark ? pid : undefined;
};

/** Ends the process that a mark was made of: with SIGTERM, and after two seconds with SIGKILL. Nothing happens when it has ended. */
export const endProcess = async (mark: string): Promise<void> => {
  const killAt = Date.now() + SIGTERM_GRACE_MS;
  for (let pid = runningPid(mark); pid !== undefined; pid = runningPid(mark)) {
    try {
      process.kill(pid, Date.now() < killAt ? 'SIGTERM' : 'SIGKILL');
    } catch {
      // It has just ended by itself.
    }
    await wait(POLL_MS);
  }
};

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS = 20;
const SIGTERM_GRACE_MS = 2_000;

/**
 * Reads the start time of a process in /proc/<pid>/stat: the 22nd field. The third field is the state. The second field is the name in brackets; it
 * may contain spaces, so the fields are counted from the last bracket.
 */
const readStartOnLinux = (pid: number): string | undefined => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie has ended, but its parent has not read its exit code yet.
  return state === 'Z' ? undefined : fields[18];
};

const readStartElsewhere = (pid: number): string | undefined => {
  const [state, ...start] = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/);
  return state?.startsWith('Z') ? undefined : start.join(' ');
};

/** Reads when a process started, in the operating system's format; undefined if there is no such process. */
const readStartTime = (pid: number): string | undefined => {
  try {
    return process.platform === 'linux' ? readStartOnLinux(pid) : readStartElsewhere(pid);
  } catch {
    return undefined;
  }
};

/** Whether a process with this number runs. */
export const isRunning = (pid: number): boolean => readStartTime(pid) !== undefined;

/** Makes the mark of a process: its number and its start time, because a later process may get the same number. */
export const formatMark = (pid: number): string => `${pid} ${readStartTime(pid) ?? ''}`;

/** Returns the number of the process with this mark; undefined if the process has ended. */
export const runningPid = (mark: string): number | undefined => {
  const pid = Number.parseInt(mark, 10);
  return pid > 0 && isRunning(pid) && formatMark(pid) === mark ? pid : undefined;
};

/** Ends the process with this mark by SIGTERM, and after two seconds by SIGKILL. Does nothing if the process has ended already. */
export const endProcess = async (mark: string): Promise<void> => {
  const killAt = Date.now() + SIGTERM_GRACE_MS;
  for (let pid = runningPid(mark); pid !== undefined; pid = runningPid(mark)) {
    try {
      process.kill(pid, Date.now() < killAt ? 'SIGTERM' : 'SIGKILL');
    } catch {
      // The process has just ended by itself.
    }
    await wait(POLL_MS);
  }
};

import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { CannotStart } from '#infra/local/errors.ts';
import { fileIn, hasCode, readIfThere } from './data-dir.ts';
import { formatMark, runningPid } from './processes.ts';

/** Two stacks that find the same stale lock both replace it; by then the later one has, and the earlier one sees it. */
const SETTLED_MS = 50;

const alreadyRunning = (dataDir: string, pid: number): CannotStart =>
  new CannotStart(
    `A local stack runs over ${dataDir} already (process ${pid}). Stop it first, or give this one a DATA_DIR and a PORT of its own.`,
  );

/** Links a file under a second name; false when that name is taken. The lock is never there without its text. */
const linkIfFree = (from: string, to: string): boolean => {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
};

/**
 * Makes this process the only stack over a data directory, until it ends or calls what it is given.
 * The lock of a process that has ended is taken over.
 * @throws CannotStart while another stack holds it.
 */
export const takeLock = async (dataDir: string): Promise<() => void> => {
  const path = fileIn(dataDir, 'lock');
  const mark = formatMark(process.pid);
  const draft = `${path}.${process.pid}`;
  const ensureNoOther = (): void => {
    const running = readIfThere(path) ?? '';
    const pid = running === mark ? undefined : runningPid(running);
    if (pid !== undefined) throw alreadyRunning(dataDir, pid);
  };

  writeFileSync(draft, mark, { mode: 0o600 });
  try {
    if (!linkIfFree(draft, path)) {
      ensureNoOther();
      renameSync(draft, path);
      await wait(SETTLED_MS);
      ensureNoOther();
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (readIfThere(path) === mark) rmSync(path, { force: true });
  };
};

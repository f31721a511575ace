import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { CannotStart } from '#infra/local/errors.ts';
import { fileIn, hasCode, readIfThere } from './data-dir.ts';
import { formatMark, runningPid } from './processes.ts';

/** Milliseconds between replacing a stale lock and reading it again. If two stacks replace it at the same time, both then see whose lock stayed. */
const REPLACED_WAIT_MS = 50;

const alreadyRunning = (dataDir: string, pid: number): CannotStart =>
  new CannotStart(
    `A local stack already uses ${dataDir} (process ${pid}). Stop it first, or start this one with another DATA_DIR and another PORT.`,
  );

/** Gives a finished file a second name, so that the lock never exists without its text. Returns false if the name is taken. */
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
 * Makes this process the only stack in a data directory, until it ends or calls the returned function. Replaces the lock of a process
 * that has ended.
 * @throws CannotStart if another stack uses the directory.
 */
export const takeLock = async (dataDir: string): Promise<() => void> => {
  const path = fileIn(dataDir, 'lock');
  const mark = formatMark(process.pid);
  const draft = `${path}.${process.pid}`;
  const ensureNoOther = (): void => {
    const lock = readIfThere(path) ?? '';
    const pid = lock === mark ? undefined : runningPid(lock);
    if (pid !== undefined) throw alreadyRunning(dataDir, pid);
  };

  writeFileSync(draft, mark, { mode: 0o600 });
  try {
    if (!linkIfFree(draft, path)) {
      ensureNoOther();
      renameSync(draft, path);
      await wait(REPLACED_WAIT_MS);
      ensureNoOther();
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (readIfThere(path) === mark) rmSync(path, { force: true });
  };
};

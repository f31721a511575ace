import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { CannotStart } from './errors.ts';

/** Says whose directory it is. Without it nothing is ever written to or deleted from a directory that holds anything. */
const MARKER = 'made-by-npm-start';
const MARKER_TEXT = 'The local stack keeps its state here. `npm start -- --reset` empties it.\n';

/** Every file of the local stack. */
const FILES = {
  lock: 'lock',
  identity: 'identity.json',
  table: 'table.db',
  demo: 'demo.json',
  inbox: 'inbox.jsonl',
  log: 'service.log',
  stack: 'stack.json',
} as const;
export type DataFile = keyof typeof FILES;

/** The path of one of our files in a data directory. */
export const fileIn = (dataDir: string, file: DataFile): string => join(dataDir, FILES[file]);

/** Writes a file whole or not at all, readable by its owner only. */
export const writePrivately = (path: string, text: string): void => {
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, path);
};

/** Whether an error of Node has this code, such as `ENOENT`. */
export const hasCode = (error: unknown, code: string): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code;

/** What a file holds, or undefined when it is not there. */
export const readIfThere = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};

/** Like `mkdir -p`. Node's own `recursive` never returns where a parent takes no directories, such as /proc. */
const makeDirectory = (path: string): void => {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return;
    if (!hasCode(error, 'ENOENT') || existsSync(dirname(path))) throw error;
    makeDirectory(dirname(path));
    mkdirSync(path, { mode: 0o700 });
  }
};

const prepare = (dataDir: string): void => {
  makeDirectory(dataDir);
  accessSync(dataDir, constants.W_OK);
  const present = readdirSync(dataDir);
  if (present.includes(MARKER)) return;
  if (present.length > 0) {
    throw new CannotStart(
      `DATA_DIR ${dataDir} holds files that are not the local stack's. Name a new or an empty directory.`,
    );
  }
  writeFileSync(join(dataDir, MARKER), MARKER_TEXT);
};

/**
 * Makes the data directory, or recognises it as ours.
 * @throws CannotStart when it cannot be made or written, or holds files of somebody else.
 */
export const openDataDir = (dataDir: string): void => {
  try {
    prepare(dataDir);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new CannotStart(
      `DATA_DIR ${dataDir} cannot be written (${error.code}). Name a directory that you may write to, e.g. DATA_DIR=.local.`,
    );
  }
};

/** Deletes our state. The marker stays, the lock is held by whoever asks for this, and files of others are not touched. */
export const resetDataDir = (dataDir: string): void => {
  const { lock: _, ...state } = FILES;
  // What SQLite and the engine put beside the table begins with its name.
  const isOurs = (name: string): boolean => Object.values(state).some((own) => name.startsWith(own));
  for (const name of readdirSync(dataDir).filter(isOurs)) rmSync(join(dataDir, name), { force: true });
};

import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { CannotStart } from '#infra/local/errors.ts';

/** The file that marks a directory as the local stack's. If a directory has files but not this one, the local stack does not start in it. */
const MARKER = 'made-by-npm-start';
const MARKER_TEXT = 'The local stack stores its data here. `npm start -- --reset` deletes it.\n';

/** The files of the local stack. */
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

/** Returns the path of one of our files in a data directory. */
export const fileIn = (dataDir: string, file: DataFile): string => join(dataDir, FILES[file]);

/** Writes a file completely or not at all, readable only by its owner. */
export const writePrivately = (path: string, text: string): void => {
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, path);
};

/** Whether an error has this code, such as `ENOENT`. */
export const hasCode = (error: unknown, code: string): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code;

/** Reads a file; undefined if it does not exist. */
export const readIfThere = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};

/** Makes a directory and its parents. It does not use Node's option `recursive`: with that option, a call below a parent such as /proc never returns. */
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

/** Whether a file is the local stack's. SQLite, the emulator and unfinished writes add files whose names begin with the name of one of our files. */
const isOurs = (name: string): boolean => [MARKER, ...Object.values(FILES)].some((prefix) => name.startsWith(prefix));

/** Removes the rights of other users on a path. @throws CannotStart if the path belongs to another user. */
const restrictToOwner = (path: string, { uid, mode }: Stats, allowed: number): void => {
  const self = process.getuid?.();
  if (self !== 0 && uid !== self)
    throw new CannotStart(`${path} belongs to another user. Set DATA_DIR to a directory of your own.`);
  if ((mode & 0o777 & ~allowed) !== 0) chmodSync(path, allowed);
};

/**
 * Restricts the directory and our files to their owner. The directory comes first, so that nobody else can add a file in the meantime. Does nothing
 * on Windows, which has no such rights.
 */
const makePrivate = (dataDir: string, present: readonly string[]): void => {
  if (process.getuid === undefined) return;
  restrictToOwner(dataDir, statSync(dataDir), 0o700);
  for (const path of present.filter(isOurs).map((name) => join(dataDir, name))) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    // The file was removed after the directory was listed: it was a temporary file of another stack that starts here.
    if (stats === undefined) continue;
    if (!stats.isFile())
      throw new CannotStart(`${path} is not a file of the local stack. Remove it, or set another DATA_DIR.`);
    restrictToOwner(path, stats, 0o600);
  }
};

const prepare = (dataDir: string): void => {
  makeDirectory(dataDir);
  accessSync(dataDir, constants.W_OK);
  const present = readdirSync(dataDir);
  if (present.includes(MARKER)) {
    makePrivate(dataDir, present);
    return;
  }
  if (present.length > 0) {
    throw new CannotStart(
      `DATA_DIR ${dataDir} contains files that are not the local stack's. Set DATA_DIR to a new or empty directory.`,
    );
  }
  makePrivate(dataDir, present);
  writeFileSync(join(dataDir, MARKER), MARKER_TEXT, { mode: 0o600 });
};

/**
 * Creates the data directory, or checks that it is ours. Afterwards no other user can read it or its files.
 * @throws CannotStart if it cannot be created or written; if it, or a file of ours in it, belongs to another user; if it has files but not our
 * marker; or if something in it has the name of a file of ours and is not a file.
 */
export const openDataDir = (dataDir: string): void => {
  try {
    prepare(dataDir);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new CannotStart(
      `DATA_DIR ${dataDir} cannot be written (${error.code}). Set it to a directory that you may write to, e.g. DATA_DIR=.local.`,
    );
  }
};

/** Deletes our data, except the marker and the caller's lock. Other files stay. */
export const resetDataDir = (dataDir: string): void => {
  const isKept = (name: string): boolean => [MARKER, FILES.lock].some((prefix) => name.startsWith(prefix));
  const state = readdirSync(dataDir).filter((name) => isOurs(name) && !isKept(name));
  for (const name of state) rmSync(join(dataDir, name), { force: true });
};

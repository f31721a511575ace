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
/** One of these files. */
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

/** Whether a file is the local stack's. What SQLite, the emulator and unfinished writes put beside a file begins with its name. */
const isOurs = (name: string): boolean => [MARKER, ...Object.values(FILES)].some((own) => name.startsWith(own));

/** Takes from everybody else what they may do with a path. @throws CannotStart when it is somebody else's. */
const takeFromOthers = (path: string, { uid, mode }: Stats, allowed: number): void => {
  const self = process.getuid?.();
  if (self !== 0 && uid !== self)
    throw new CannotStart(`${path} belongs to another user. Name a DATA_DIR of your own.`);
  if ((mode & 0o777 & ~allowed) !== 0) chmodSync(path, allowed);
};

/** The directory first: from then on nobody else can put anything into it. Windows knows no such rights. */
const makePrivate = (dataDir: string, present: readonly string[]): void => {
  if (process.getuid === undefined) return;
  takeFromOthers(dataDir, statSync(dataDir), 0o700);
  for (const path of present.filter(isOurs).map((name) => join(dataDir, name))) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    // Another stack that starts over this directory removes what it has drafted.
    if (stats === undefined) continue;
    if (!stats.isFile())
      throw new CannotStart(`${path} is not a file of the local stack. Remove it, or name another DATA_DIR.`);
    takeFromOthers(path, stats, 0o600);
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
      `DATA_DIR ${dataDir} holds files that are not the local stack's. Name a new or an empty directory.`,
    );
  }
  makePrivate(dataDir, present);
  writeFileSync(join(dataDir, MARKER), MARKER_TEXT, { mode: 0o600 });
};

/**
 * Makes the data directory, or recognises it as ours. Nobody else can read it or its files afterwards, whatever was before.
 * @throws CannotStart when it cannot be made or written, belongs to another user, or holds files of somebody else.
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

/** Deletes our state, except the marker and the lock, which the caller holds. Other files are not touched. */
export const resetDataDir = (dataDir: string): void => {
  const isKept = (name: string): boolean => [MARKER, FILES.lock].some((prefix) => name.startsWith(prefix));
  const state = readdirSync(dataDir).filter((name) => isOurs(name) && !isKept(name));
  for (const name of state) rmSync(join(dataDir, name), { force: true });
};

import { createHash } from 'node:crypto';
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { run, start } from './processes.ts';

/* Makes the virtual environment with the emulator. It stays in the user's cache, so that only the first run downloads from PyPI. */

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
const PYYAML = 'PyYAML==6.0.3';
const CANDIDATES = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python'];
const NEW_ENOUGH = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))';

/** The reason why the emulator cannot run on this machine. This is no fault of the tested code. */
export class CannotTest extends Error {}

/** Matches pip's messages when PyPI cannot be reached. Any other message, for example about a hash, is a failure. */
const UNREACHABLE =
  /from versions: none|NewConnectionError|NameResolutionError|ConnectTimeoutError|ReadTimeoutError|ProxyError|Network is unreachable|Temporary failure/;

const findPython = async (): Promise<string> => {
  for (const candidate of CANDIDATES) {
    const { code } = await start(candidate, ['-c', NEW_ENOUGH], { env: process.env }).ended;
    if (code === 0) return candidate;
  }
  throw new CannotTest(
    'there is no Python 3.10 or newer with venv and pip on the PATH. Install one, for example with: apt-get install python3-venv',
  );
};

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

const install = async (python: string): Promise<void> => {
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary=:all:'];
  try {
    await run(python, [...pip, '--require-hashes', '-r', REQUIREMENTS], { env: process.env });
    await run(python, [...pip, PYYAML], { env: process.env });
  } catch (error) {
    if (error instanceof Error && UNREACHABLE.test(error.message)) {
      throw new CannotTest(`PyPI, from which the emulator is installed, cannot be reached.\n${error.message}`);
    }
    throw error;
  }
};

/**
 * Returns the Python of a virtual environment with the emulator, and makes the environment if it does not exist.
 * @throws CannotTest when there is no Python, or PyPI cannot be reached; Error when pip fails in another way.
 */
export const pythonWithEmulator = async (): Promise<string> => {
  const recipe = `${await readFile(REQUIREMENTS, 'utf8')}${PYYAML}`;
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'payments-backend');
  const venv = join(cache, `ministack-${createHash('sha256').update(recipe).digest('hex').slice(0, 12)}`);
  const python = join(venv, 'bin', 'python');
  const completeMark = join(venv, 'complete');
  if (
    (await exists(completeMark)) &&
    (await start(python, ['-c', NEW_ENOUGH], { env: process.env }).ended).code === 0
  ) {
    return python;
  }
  const base = await findPython();
  await rm(venv, { recursive: true, force: true });
  await mkdir(cache, { recursive: true });
  await run(base, ['-m', 'venv', venv], { env: process.env });
  await install(python);
  await writeFile(completeMark, '');
  return python;
};

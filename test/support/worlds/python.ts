import { execFile, spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isLongRun, longTest } from '#test/support/jest/long.ts';

/* Tools of others that are written in Python, each with pinned versions in a folder of test/tools. */

const run = promisify(execFile);
/** CI sets it where Python and its package index answer: there no test may be left out. */
const isRequired = process.env.REQUIRE_PYTHON === '1';
export const hasPython =
  isRequired || (isLongRun && spawnSync('sh', [resolve('test/tools/has-python.sh')]).status === 0);

/** A long test that needs Python and its package index; where they are not there, its name says so. */
export const pythonTest = (name: string, work: () => Promise<void>, limitMs: number): void => {
  if (hasPython || !isLongRun) longTest(name, work, limitMs);
  else test.skip(`${name}, for want of Python or its package index`, () => {});
};

/** Makes an environment with what a folder of test/tools requires. Returns where its commands are. */
export const pythonTools = async (folder: string, tools: string): Promise<string> => {
  const bin = join(folder, 'venv/bin');
  await run('python3', ['-m', 'venv', join(folder, 'venv')]);
  const requirements = join(tools, 'requirements.txt');
  // Compiled beforehand, everything takes longer than what is imported takes once.
  await run(join(bin, 'python'), ['-m', 'pip', 'install', '--quiet', '--no-compile', '--requirement', requirements]);
  return bin;
};

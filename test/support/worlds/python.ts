import { execFile, spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isLongRun, longTest } from '#test/support/jest/long.ts';

/* Third-party tools in Python, each with pinned versions in a folder of test/tools. */

const run = promisify(execFile);
/** Whether Python is required. CI sets REQUIRE_PYTHON if Python and its package index answer, so that no test is left out. */
const isRequired = process.env.REQUIRE_PYTHON === '1';
export const hasPython =
  isRequired || (isLongRun && spawnSync('sh', [resolve('test/tools/has-python.sh')]).status === 0);

/** Makes a long test that needs Python and its package index. Without them it is skipped, and its name says so. */
export const pythonTest = (name: string, work: () => Promise<void>, limitMs: number): void => {
  if (hasPython || !isLongRun) longTest(name, work, limitMs);
  else test.skip(`${name}, for want of Python or its package index`, () => {});
};

/** Makes an environment with the requirements of a folder of test/tools. Returns the folder of its commands. */
export const pythonTools = async (folder: string, tools: string): Promise<string> => {
  const bin = join(folder, 'venv/bin');
  await run('python3', ['-m', 'venv', join(folder, 'venv')]);
  const requirements = join(tools, 'requirements.txt');
  // Do not compile beforehand: compiling everything takes longer than importing the needed modules once.
  await run(join(bin, 'python'), ['-m', 'pip', 'install', '--quiet', '--no-compile', '--requirement', requirements]);
  return bin;
};

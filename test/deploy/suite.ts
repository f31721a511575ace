import { join } from 'node:path';
import type { Config } from 'jest';
import { LOCAL_ONLY, TESTS_LEFT_OUT } from './differences.ts';
import { ROOT, run } from './processes.ts';

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The repository's own jest configuration, without the local engines: the suite meets a stage that is there. */
const configuration = async (): Promise<string> => {
  const { default: own } = (await import(join(ROOT, 'jest.config.js'))) as { default: Config };
  const { globalSetup: _start, globalTeardown: _stop, ...rest } = own;
  return JSON.stringify({
    ...rest,
    rootDir: ROOT,
    testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
    testPathIgnorePatterns: LOCAL_ONLY.map(({ name }) => literally(`/${name}`)),
  });
};

/**
 * Runs the end-to-end suite against the stage that E2E_BASE_URL and E2E_OPS name, and gives jest's report.
 * @throws Error with all of jest's output when a test fails.
 */
export const runSuite = async (env: NodeJS.ProcessEnv): Promise<string> => {
  const leftOut = TESTS_LEFT_OUT.map(({ name }) => literally(name)).join('|');
  return run(
    'npm',
    [
      ...['run', '--silent', 'jest', '--', '--config', await configuration(), '--verbose', '--color=false'],
      // More files at once than a machine has processors: most of the time they wait for webhooks.
      ...['--maxWorkers', '4', '--testNamePattern', `^(?!.*(${leftOut})$)`],
    ],
    { env },
  );
};

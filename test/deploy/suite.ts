import { LOCAL_ONLY, TESTS_LEFT_OUT } from './differences.ts';
import { run } from './processes.ts';

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Runs the end-to-end suite against the stage of E2E_BASE_URL and E2E_OPS, and returns jest's report.
 * @throws Error with all of jest's output if a test fails; Error if TESTS_LEFT_OUT has a title that no test has.
 */
export const runSuite = async (env: NodeJS.ProcessEnv): Promise<string> => {
  const leftOut = TESTS_LEFT_OUT.map(({ name }) => escapePattern(name)).join('|');
  const report = await run(
    'npm',
    [
      ...['run', '--silent', 'jest', '--', '--selectProjects', 'e2e', '--seed', '1', '--verbose', '--color=false'],
      ...['--testPathIgnorePatterns', ...LOCAL_ONLY.map(({ name }) => escapePattern(`/${name}`))],
      // Run more files at once than the machine has processors: they mostly wait for webhooks.
      ...['--maxWorkers', '4', '--testNamePattern', `^(?!.*(${leftOut})$)`],
    ],
    { env },
  );
  const unknown = TESTS_LEFT_OUT.filter(({ name }) => !report.includes(name));
  if (unknown.length > 0) throw new Error(`No test is called "${unknown.map(({ name }) => name).join('", "')}".`);
  return report;
};

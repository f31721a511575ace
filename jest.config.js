import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const JEST = '<rootDir>/test/support/jest';

const PROJECTS = ['unit', 'infra', 'integration', 'contract', 'e2e', 'long'];
/** What a file imports of which a long run plays more than `npm test`. */
const LONGER = /support\/(jest\/long|worlds\/(provider-scenes|python|browser|guide-programs))\.ts'/;

/** With LONG_TESTS=only, the files that `npm test` has not played, or not whole: of those rest.ts leaves out what it has. */
const filesOf = (name) =>
  readdirSync(new URL(`test/${name}`, import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .filter(
      (file) => name === 'long' || LONGER.test(readFileSync(new URL(`test/${name}/${file}`, import.meta.url), 'utf8')),
    )
    .map((file) => `<rootDir>/test/${name}/${file}`);

const isOnlyLong = process.env.LONG_TESTS === 'only';

/** The tests of one folder of test/, which Node itself loads. @returns {import('jest').Config} */
const folder = (name, ...setup) => ({
  displayName: name,
  // Jest reads the name of every file below its roots.
  roots: ['<rootDir>/test'],
  testMatch: isOnlyLong ? filesOf(name) : [`<rootDir>/test/${name}/**/*.test.ts`],
  testEnvironment: `${JEST}/environment.js`,
  runtime: `${JEST}/runtime.js`,
  transform: {},
  setupFilesAfterEnv: ['each-file', ...setup, ...(isOnlyLong && name !== 'long' ? ['rest'] : [])].map(
    (one) => `${JEST}/${one}.ts`,
  ),
});

/** The same with a DynamoDB emulator for each file and an SQS emulator for all, and with the checks that hold in every test of a stack. */
const withEmulators = (name) => ({
  ...folder(name, 'each-emulator-file'),
  globalSetup: `${JEST}/start.ts`,
  globalTeardown: `${JEST}/stop.ts`,
});

/** @type {import('jest').Config} */
export default {
  projects: PROJECTS.map((name) => (['unit', 'infra'].includes(name) ? folder(name) : withEmulators(name))).filter(
    ({ testMatch }) => testMatch.length > 0,
  ),
  // Two more than there are cores: some tests wait for a real clock, a browser or a program.
  maxWorkers: availableParallelism() + 2,
  // A worker keeps what its files have loaded; above a gigabyte it collects garbage more than it tests.
  workerIdleMemoryLimit: '1000MB',
  // Against open handles only: on a busy machine a worker with a large heap takes longer than Jest's half a second to end.
  workerGracefulExitTimeout: 5_000,
  ...(isOnlyLong && { testSequencer: `${JEST}/slowest-first.js` }),
  showSeed: true,
  // Against hanging only: no test may depend on how fast a machine is.
  testTimeout: 300_000,
};

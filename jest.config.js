import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const JEST = '<rootDir>/test/support/jest';

const PROJECTS = ['unit', 'infra', 'integration', 'contract', 'e2e', 'long'];
/** Matches imports of test files from which a long run plays more tests than `npm test`. */
const LONGER = /support\/(jest\/long|worlds\/(provider-scenes|python|browser|guide-programs))\.ts'/;

/** Lists the files that LONG_TESTS=only plays: those that `npm test` did not play completely. rest.ts skips the tests that it did play. */
const listFiles = (name) =>
  readdirSync(new URL(`test/${name}`, import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .filter(
      (file) => name === 'long' || LONGER.test(readFileSync(new URL(`test/${name}/${file}`, import.meta.url), 'utf8')),
    )
    .map((file) => `<rootDir>/test/${name}/${file}`);

const isOnlyLong = process.env.LONG_TESTS === 'only';

/** Makes the project for one folder of test/. Node itself loads the files. @returns {import('jest').Config} */
const folder = (name, ...setup) => ({
  displayName: name,
  // Jest reads the name of every file below its roots.
  roots: ['<rootDir>/test'],
  testMatch: isOnlyLong ? listFiles(name) : [`<rootDir>/test/${name}/**/*.test.ts`],
  testEnvironment: `${JEST}/environment.js`,
  runtime: `${JEST}/runtime.js`,
  transform: {},
  setupFilesAfterEnv: ['each-file', ...setup, ...(isOnlyLong && name !== 'long' ? ['rest'] : [])].map(
    (file) => `${JEST}/${file}.ts`,
  ),
});

/** The same with a DynamoDB emulator for each file, one SQS emulator for all, and the checks after every test. */
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
  // Two more than cores, because some tests wait for a real clock, a browser or a program.
  maxWorkers: availableParallelism() + 2,
  // A worker keeps all modules that its files loaded. Above a gigabyte it spends more time on garbage collection than on tests.
  workerIdleMemoryLimit: '1000MB',
  // Long, because on a busy machine a worker with a large heap needs more than Jest's half a second to end. Only open handles reach it.
  workerGracefulExitTimeout: 5_000,
  ...(isOnlyLong && { testSequencer: `${JEST}/slowest-first.js` }),
  showSeed: true,
  // Long, because no test may depend on the speed of the machine. Only a test that hangs reaches it.
  testTimeout: 300_000,
};

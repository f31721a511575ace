import { availableParallelism } from 'node:os';

const JEST = '<rootDir>/test/support/jest';

/** The tests of one folder of test/, which Node itself loads. @returns {import('jest').Config} */
const folder = (name, ...setup) => ({
  displayName: name,
  // Jest reads the name of every file below its roots.
  roots: ['<rootDir>/test'],
  testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
  testEnvironment: `${JEST}/environment.js`,
  runtime: `${JEST}/runtime.js`,
  transform: {},
  setupFilesAfterEnv: ['each-file', ...setup].map((one) => `${JEST}/${one}.ts`),
});

/** The same with a DynamoDB engine for each file and an SQS engine for all, and with the checks that hold in every test of a stack. */
const withEngines = (name) => ({
  ...folder(name, 'each-engine-file'),
  globalSetup: `${JEST}/start.ts`,
  globalTeardown: `${JEST}/stop.ts`,
});

/** @type {import('jest').Config} */
export default {
  projects: [folder('unit'), folder('infra'), ...['integration', 'contract', 'e2e', 'long'].map(withEngines)],
  // One more than there are cores: some tests wait for a real clock.
  maxWorkers: availableParallelism() + 1,
  // A worker keeps what its files have loaded; above a gigabyte it collects garbage more than it tests.
  workerIdleMemoryLimit: '1000MB',
  // Against open handles only: on a busy machine a worker with a large heap takes longer than Jest's half a second to end.
  workerGracefulExitTimeout: 5_000,
  showSeed: true,
  // Against hanging only: no test may depend on how fast a machine is.
  testTimeout: 300_000,
};

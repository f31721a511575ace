const JEST = '<rootDir>/test/support/jest';

/** The tests of one folder of test/: native ES modules, TypeScript by Node's own type stripping. @returns {import('jest').Config} */
const folder = (name, ...setup) => ({
  displayName: name,
  // Jest reads the name of every file below its roots.
  roots: ['<rootDir>/test'],
  testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
  testEnvironment: `${JEST}/environment.js`,
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': `${JEST}/strip-types.js` },
  setupFilesAfterEnv: ['repeatable', ...setup].map((one) => `${JEST}/${one}.ts`),
});

/** The same with a DynamoDB engine for each file and an SQS engine for all, and with the checks that hold in every test of a stack. */
const withEngines = (name) => ({
  ...folder(name, 'own-engine', 'search-logs', 'webhook-bodies'),
  globalSetup: `${JEST}/start.ts`,
  globalTeardown: `${JEST}/stop.ts`,
});

/** @type {import('jest').Config} */
export default {
  projects: [folder('unit'), folder('infra'), ...['integration', 'contract', 'e2e', 'long'].map(withEngines)],
  maxWorkers: '100%',
  // A worker keeps some of every file that it has run; above a gigabyte it collects garbage more than it tests.
  workerIdleMemoryLimit: '800MB',
  showSeed: true,
  // Against hanging only: no test may depend on how fast a machine is.
  testTimeout: 300_000,
};

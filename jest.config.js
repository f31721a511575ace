/**
 * A look for a global takes a quarter of a microsecond in Jest's sandbox: CommonJS modules, the AWS SDK and CDK among them, get these
 * handed in. Left out is what a module declares under the same name, such as Map or Buffer.
 */
const GLOBALS =
  'Array BigInt Boolean Date Error JSON Math Number Object Promise Reflect RegExp Set String Symbol TypeError Uint8Array WeakMap';

/** One suite, native ES modules, TypeScript by Node's own type stripping. @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/engines/strip-types.js' },
  globalSetup: '<rootDir>/test/support/engines/start-jest.ts',
  globalTeardown: '<rootDir>/test/support/engines/stop-jest.ts',
  setupFilesAfterEnv: ['engines/own-engine', 'hostile/search-logs', 'engines/webhooks-held'].map(
    (name) => `<rootDir>/test/support/${name}.ts`,
  ),
  sandboxInjectedGlobals: GLOBALS.split(' '),
  maxWorkers: 2,
  // Against hanging only: no test may depend on how fast a machine is.
  testTimeout: 300_000,
};

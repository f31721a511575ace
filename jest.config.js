/** One suite, native ES modules, TypeScript by Node's own type stripping. @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/strip-types.js' },
  globalSetup: '<rootDir>/test/support/start-jest.ts',
  globalTeardown: '<rootDir>/test/support/stop-jest.ts',
  setupFilesAfterEnv: ['<rootDir>/test/support/own-engine.ts', '<rootDir>/test/support/search-logs.ts'],
  maxWorkers: 2,
  // Against hanging only: no test may depend on how fast a machine is.
  testTimeout: 300_000,
};

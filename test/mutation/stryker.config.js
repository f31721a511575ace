import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const { default: jest } = await import(pathToFileURL(resolve('jest.config.js')).href);
const unit = jest.projects.find(({ displayName }) => displayName === 'unit');

/** @type {import('@stryker-mutator/core').PartialStrykerOptions} */
export default {
  testRunner: 'jest',
  jest: {
    config: {
      ...unit,
      // Jest loads the modules, anew for each change (environment.js).
      runtime: undefined,
      extensionsToTreatAsEsm: ['.ts'],
      transform: { '\\.ts$': resolve('test/mutation/strip-types.js') },
      // What a changed file may be reached through: Stryker runs the tests that Jest finds related to it.
      roots: ['<rootDir>/shared', '<rootDir>/infra', '<rootDir>/test/support', '<rootDir>/test/unit'],
      // Stryker wraps it, and resolves no <rootDir>.
      testEnvironment: resolve('test/mutation/environment.js'),
      setupFilesAfterEnv: ['<rootDir>/test/mutation/first-failure.ts'],
    },
  },
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  coverageAnalysis: 'perTest',
  // Stryker rewrites a tsconfig.json by the API of TypeScript, which TypeScript 7 does not have. Without the file it leaves it alone.
  tsconfigFile: 'none',
  // Against hanging only: a change that a slow machine cannot finish in time would count as noticed.
  timeoutMS: 60_000,
  dryRunTimeoutMinutes: 30,
  tempDirName: '.mutation',
  reporters: ['clear-text', 'progress', 'html'],
  htmlReporter: { fileName: '.mutation/report.html' },
  clearTextReporter: { logTests: false, reportTests: false },
  thresholds: { high: 95, low: 95, break: 95 },
};

/** @type {import('@stryker-mutator/core').PartialStrykerOptions} */
export default {
  // A process for each change: modules are loaded anew, and the first file with a failing test ends it. run.ts says which tests.
  testRunner: 'command',
  commandRunner: {
    // The paths come first: the option takes every word after it for a project.
    command: `npm run --silent jest -- ${process.env.MUTATION_TESTS} --seed 1 --runInBand --bail --selectProjects unit`,
  },
  // Stryker rewrites a tsconfig.json by the API of TypeScript, which TypeScript 7 does not have. Without the file it leaves it alone.
  tsconfigFile: 'none',
  // Against hanging only: a change that a slow machine cannot finish in time would count as noticed.
  timeoutMS: 60_000,
  tempDirName: '.mutation',
  reporters: ['clear-text', 'progress', 'html'],
  htmlReporter: { fileName: '.mutation/report.html' },
  clearTextReporter: { logTests: false, reportTests: false },
  thresholds: { high: 95, low: 95, break: 95 },
};

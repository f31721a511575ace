/** @type {import('@stryker-mutator/core').PartialStrykerOptions} */
export default {
  // One process for each change: it loads modules anew, and ends at the first file with a failing test. run.ts names the tests.
  testRunner: 'command',
  commandRunner: {
    // The paths come first: the option takes every word after it for a project.
    command: `npm run --silent jest -- ${process.env.MUTATION_TESTS} --seed 1 --runInBand --bail --selectProjects unit`,
  },
  // Stryker rewrites a tsconfig.json with an API that TypeScript 7 does not have. It skips a file that does not exist.
  tsconfigFile: 'none',
  // Only against endless loops: a change that a slow machine cannot test in time would count as noticed.
  timeoutMS: 60_000,
  tempDirName: '.mutation',
  reporters: ['clear-text', 'progress', 'html'],
  htmlReporter: { fileName: '.mutation/report.html' },
  clearTextReporter: { logTests: false, reportTests: false },
  thresholds: { high: 95, low: 95, break: 95 },
};

/* Decides which tests run only in the long run, and which of them `.ci/run` skips there, because it has run them before in `npm test`. */

/** `npm run test:long` sets it: every scene is played at every provider, and nothing is left out. */
export const isLongRun = process.env.LONG_TESTS !== undefined;
/** `.ci/run` sets it after it has run `npm test` under the same seed: then the long run skips the tests that have run. */
export const isRestOfRun = process.env.LONG_TESTS === 'only';

/** Returns Jest's `test` of the current file. This module stays loaded for the next files, and each has another `test`. */
const currentTest = (): jest.It => (test as jest.It & { readonly original?: jest.It }).original ?? test;

const asTest = (getTest: () => jest.It) =>
  Object.assign((...args: Parameters<jest.It>) => getTest()(...args), {
    each: ((...table: Parameters<jest.Each>) => getTest().each(...table)) as jest.Each,
  });

/** A test that takes seconds and belongs only to the long run: quicker tests check the same rule. */
export const longTest = asTest(() => (isLongRun ? currentTest() : test.skip));
/** A test with more cases or steps in the long run. */
export const longerTest = asTest(currentTest);

/** Accepts only the first row of a table. */
export const isFirst = (_: unknown, index: number): boolean => index === 0;

/** Jest's `test.each`: `npm test` plays only the first row, the long run all. */
export const testRows = ((rows: readonly unknown[]) =>
  (...[title, play, milliseconds]: Parameters<jest.It>): void => {
    test.each(rows.filter(isFirst))(title, play as () => void, milliseconds);
    const others = rows.filter((row, index) => !isFirst(row, index));
    if (others.length > 0) longTest.each(others)(title, play as () => void, milliseconds);
  }) as jest.Each;

/** Sets the number of cases of a property: all in the long run, a quarter in `npm test`, whose seed seldom changes. */
export const setRuns = (all: number): { readonly numRuns: number } => ({
  numRuns: isLongRun ? all : Math.ceil(all / 4),
});

/** Makes `test` skip in the current file, except in `longTest`, `longerTest` and `describeUnplayed`. */
export const skipPlayed = (): void => {
  const original = currentTest();
  globalThis.test = Object.assign((...args: Parameters<jest.It>) => original.skip(...args), original.skip, {
    skip: original.skip,
    original,
  }) as unknown as jest.It;
};

/** Describes tests that `npm test` has not played. */
export const describeUnplayed = (describeThem: () => void): void => {
  const { test: skipping } = globalThis;
  globalThis.test = currentTest();
  describeThem();
  globalThis.test = skipping;
};

/** Describes scenes for each row. `npm test` plays the rows that `isQuick` accepts, the long run all. */
export const describeRows = <Row>(
  title: string,
  rows: readonly Row[],
  isQuick: (row: Row, index: number) => boolean,
  scenes: [Row] extends [readonly unknown[]] ? (...row: Row) => void : (row: Row) => void,
): void => {
  for (const [index, row] of rows.entries()) {
    const describeRow = (): void => describe.each([row])(title, scenes as () => void);
    if (isQuick(row, index)) describeRow();
    else if (isLongRun) describeUnplayed(describeRow);
  }
};

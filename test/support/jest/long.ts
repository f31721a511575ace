/* Which tests the long run plays beside those of `npm test`, and what `.ci/run` leaves out, because it has just played it. */

/** Set by `npm run test:long`: every scene is played at every provider, and nothing is left out. */
export const isLongRun = process.env.LONG_TESTS !== undefined;
/** Set by `.ci/run`, which has just run `npm test` under the same seed. */
export const isRestOfRun = process.env.LONG_TESTS === 'only';

/** Jest's `test` of the file that is being loaded: this module stays for the files that follow, and theirs is another. */
const ofThisFile = (): jest.It => (test as jest.It & { readonly whole?: jest.It }).whole ?? test;

const asTest = (of: () => jest.It) =>
  Object.assign((...one: Parameters<jest.It>) => of()(...one), {
    each: ((...table: Parameters<jest.Each>) => of().each(...table)) as jest.Each,
  });

/** A test that takes seconds, beside quicker ones of the same rule: only the long run has it. */
export const longTest = asTest(() => (isLongRun ? ofThisFile() : test.skip));
/** A test of which the long run plays more: more cases, more steps. */
export const longerTest = asTest(ofThisFile);

/** Accepts the first row of a table alone. */
export const isFirst = (_: unknown, index: number): boolean => index === 0;

/** Jest's `test.each`, of whose rows `npm test` plays the first, and the long run all. */
export const testRows = ((rows: readonly unknown[]) =>
  (...[title, play, milliseconds]: Parameters<jest.It>): void => {
    test.each(rows.filter(isFirst))(title, play as () => void, milliseconds);
    const others = rows.filter((row, index) => !isFirst(row, index));
    if (others.length > 0) longTest.each(others)(title, play as () => void, milliseconds);
  }) as jest.Each;

/** How many cases of a property are drawn: all of them in the long run, and a quarter in `npm test`, whose seed seldom changes. */
export const runsOf = (all: number): { readonly numRuns: number } => ({
  numRuns: isLongRun ? all : Math.ceil(all / 4),
});

/** Makes `test` skip, in the file that is being loaded, except in `longTest`, `longerTest` and `describeUnplayed`. */
export const leaveOutPlayed = (): void => {
  const whole = ofThisFile();
  globalThis.test = Object.assign((...one: Parameters<jest.It>) => whole.skip(...one), whole.skip, {
    skip: whole.skip,
    whole,
  }) as unknown as jest.It;
};

/** Describes tests that `npm test` has not played. */
export const describeUnplayed = (describeThem: () => void): void => {
  const { test: left } = globalThis;
  globalThis.test = ofThisFile();
  describeThem();
  globalThis.test = left;
};

/** Describes scenes of each row. `npm test` plays the rows that `isQuick` accepts, the long run all of them. */
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

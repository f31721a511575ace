/** Set by `npm run test:long`: every scene is played at every provider, and nothing is left out. */
export const isLongRun = process.env.LONG_TESTS !== undefined;

/** How many cases of a property are drawn: all of them in the long run, whose seed is random, and a quarter under the fixed seed of `npm test`. */
export const runsOf = (all: number): { readonly numRuns: number } => ({
  numRuns: isLongRun ? all : Math.ceil(all / 4),
});

/** Jest's `test` of the file that is being loaded: this module stays for the files that follow, and theirs is another. */
const ofThisFile = (): jest.It => (isLongRun ? test : test.skip);

/** A test that takes seconds, beside quicker ones of the same rule: only the long run has it. */
export const longTest: ((...one: Parameters<jest.It>) => void) & { readonly each: jest.Each } = Object.assign(
  (...one: Parameters<jest.It>) => ofThisFile()(...one),
  { each: ((...table: Parameters<jest.Each>) => ofThisFile().each(...table)) as jest.Each },
);

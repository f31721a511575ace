import PlainGlobals from '#test/support/jest/environment.js';

/** The change that a test has noticed. */
let noticed;

/** Skips all further tests of a change once one has failed: it is noticed then, and the others cost most of the time. */
export default class FirstFailure extends PlainGlobals {
  async handleTestEvent({ name, test }) {
    const change = process.env.__STRYKER_ACTIVE_MUTANT__;
    if (change === undefined) return;
    if (name === 'test_done' && test.errors.length > 0) noticed = change;
    if (name === 'test_start' && change === noticed) test.mode = 'skip';
  }
}

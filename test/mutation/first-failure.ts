import fc from 'fast-check';

/*
 * Runs before each test file (stryker.config.js): the same cases every time, no search for the smallest case that fails, and no more
 * cases than fit into a moment.
 */

fc.configureGlobal({ seed: 1, endOnFailure: true, interruptAfterTimeLimit: 200 });

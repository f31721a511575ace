import fc from 'fast-check';

/* Runs before each test file (stryker.config.js): the same cases every time, and no search for the smallest case that fails. */

fc.configureGlobal({ seed: 1, endOnFailure: true });

import fc from 'fast-check';
import { SEED } from './seed.ts';

/*
 * Runs before each test file (jest.config.js): property tests draw from the seed of the run, and up to the greatest length that they
 * name (fast-check's default is at most ten elements). Under mutation testing (test/mutation/run.ts) the smallest case that fails is not
 * searched for.
 */

const briefly = process.env.MUTATION_TESTS === undefined ? {} : { endOnFailure: true };
fc.configureGlobal({ seed: SEED, defaultSizeToMaxWhenMaxSpecified: true, ...briefly });

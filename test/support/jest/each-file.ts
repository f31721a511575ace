import fc from 'fast-check';
import { SEED } from './seed.ts';

/*
 * Runs before each test file (jest.config.js). Property tests use the seed of the run, and values up to the greatest length that they name
 * (fast-check's default is at most ten elements). Mutation testing (test/mutation/run.ts) does not search for the smallest failing case.
 */

const briefly = process.env.MUTATION_TESTS === undefined ? {} : { endOnFailure: true };
fc.configureGlobal({ seed: SEED, defaultSizeToMaxWhenMaxSpecified: true, ...briefly });

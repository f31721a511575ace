import fc from 'fast-check';
import { SEED } from './seed.ts';

/* Runs before each test file (jest.config.js): property tests draw from the seed of the run. */

fc.configureGlobal({ seed: SEED });

import fc from 'fast-check';

/* Runs before each test file (jest.config.js): property tests draw from the seed of the run, which `--seed` sets and Jest prints. */

fc.configureGlobal({ seed: import.meta.jest.getSeed() });

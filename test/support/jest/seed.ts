/** The seed of this run, which `--seed` sets and Jest prints. */
export const SEED = Number(process.env.TEST_SEED);

/** The seed of this run. `--seed` sets it, and Jest prints it. */
export const SEED = Number(process.env.TEST_SEED);

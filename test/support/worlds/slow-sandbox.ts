import { openMerchantForEachTest, type TestMerchantOptions } from './test-merchant.ts';

/* A merchant whose sandbox, for certain addresses, waits until a test lets it answer. */

/** The milliseconds that the sandbox was told to wait, one number for each call. */
export let sandboxWaits: number[] = [];
/** Resolves when the sandbox begins to wait. */
export let sandboxAsked = Promise.resolve();
/** Lets the sandbox answer. */
export let answerInSandbox = (): void => {};
let reached = (): void => {};

/** Gives every test of a file its own merchant whose sandbox waits. */
export const openMerchantAtSlowSandbox = (worldOptions: TestMerchantOptions['world'] = {}): void => {
  openMerchantForEachTest({
    world: {
      ...worldOptions,
      sandboxWait: (milliseconds) => {
        sandboxWaits.push(milliseconds);
        reached();
        return new Promise((resolve) => {
          answerInSandbox = resolve;
        });
      },
    },
  });
  beforeEach(() => {
    sandboxWaits = [];
    sandboxAsked = new Promise((resolve) => {
      reached = resolve;
    });
  });
};

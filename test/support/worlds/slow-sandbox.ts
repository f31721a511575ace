import { openMerchantForEachTest, type TestMerchantOptions } from './test-merchant.ts';

/* A merchant whose sandbox waits, where an address asks for it, until a test lets it answer. */

/** The milliseconds that it was to wait. */
export let waited: number[] = [];
/** Until it waits. */
export let asked = Promise.resolve();
/** Lets it answer. */
export let answer = (): void => {};
let reached = (): void => {};

/** Gives every test of a file a merchant of its own, whose sandbox waits. */
export const openMerchantAtSlowSandbox = (of: TestMerchantOptions['world'] = {}): void => {
  openMerchantForEachTest({
    world: {
      ...of,
      sandboxWait: (milliseconds) => {
        waited.push(milliseconds);
        reached();
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    },
  });
  beforeEach(() => {
    waited = [];
    asked = new Promise((resolve) => {
      reached = resolve;
    });
  });
};

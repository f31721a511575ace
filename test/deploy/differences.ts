/* The tests that are left out, each with its reason. docs/internals/emulator.md has the evidence of how the emulator differs from AWS. */

interface LeftOut {
  readonly name: string;
  readonly reason: string;
}

/** Test files about the local stack itself. No deployed stage can run them. */
export const LOCAL_ONLY: readonly LeftOut[] = [
  { name: 'local-stack.test.ts', reason: 'it starts, kills and restarts the local stack' },
  { name: 'overload.test.ts', reason: 'it overloads the local stack’s table' },
  { name: 'live-simulator.test.ts', reason: 'its provider simulator runs inside the local stack' },
];

/** End-to-end tests that the emulator cannot answer as AWS does. */
export const TESTS_LEFT_OUT: readonly LeftOut[] = [
  {
    name: 'a body is malformed if it is invalid UTF-8',
    reason: 'the emulator repairs the body of application/json before a function sees it',
  },
];

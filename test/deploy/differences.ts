/* Where the emulator is not AWS: what is left out for it, by name, with the reason. The evidence stands in docs/internals/emulator.md. */

interface LeftOut {
  readonly name: string;
  readonly reason: string;
}

/** Test files that are about the local stack itself, wherever the others run. */
export const LOCAL_ONLY: readonly LeftOut[] = [
  { name: 'local-stack.test.ts', reason: 'it starts, kills and restarts the local stack' },
  { name: 'overload.test.ts', reason: 'it overloads the local stack’s table' },
  { name: 'live-simulator.test.ts', reason: 'its stand-ins for the providers run inside the local stack' },
];

/** End-to-end tests that the emulator cannot answer as AWS does. */
export const TESTS_LEFT_OUT: readonly LeftOut[] = [
  {
    name: 'a body that is invalid UTF-8 is malformed',
    reason: 'the emulator repairs the body of application/json before a function sees it',
  },
];

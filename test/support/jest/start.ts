import { resolve } from 'node:path';
import type { Config } from 'jest';
import { startQueueEmulator } from '#test/support/emulators/start-emulators.ts';
import { openCoordinator } from './coordinator.ts';

/** A cache of compiled code, mostly of node_modules. It is deleted together with node_modules. */
const COMPILE_CACHE = resolve('node_modules/.cache/compiled');

/** Jest's global set-up: one SQS emulator for all test files, and the coordinator that gives each file a DynamoDB emulator. */
export default async ({ testNamePattern }: Config): Promise<void> => {
  // Every local stack and operations command of a test reads Node's compile cache, which halves the time of its start.
  process.env.NODE_COMPILE_CACHE ??= COMPILE_CACHE;
  // If the tests call a stage that already runs, nothing is started, and the user's AWS settings stay.
  if (process.env.E2E_BASE_URL) return;
  // Exit on a signal, so that the emulators of an interrupted run end, too.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  await startQueueEmulator();
  process.env.TEST_COORDINATOR = await openCoordinator({ runsEveryTest: !testNamePattern });
};

import { resolve } from 'node:path';
import type { Config } from 'jest';
import { startQueueEmulator } from '#test/support/emulators/start-emulators.ts';
import { openCoordinator } from './coordinator.ts';

/** Deleted together with node_modules, whose code fills it. */
const COMPILE_CACHE = resolve('node_modules/.cache/compiled');

/** Jest's global set-up: one SQS emulator for all test files, and the coordinator that gives each file a DynamoDB emulator. */
export default async ({ testNamePattern }: Config): Promise<void> => {
  // Every stack and operations command of a test reads Node's compile cache: that halves its start.
  process.env.NODE_COMPILE_CACHE ??= COMPILE_CACHE;
  // For a stage that runs already nothing is started, and the user's AWS settings stay.
  if (process.env.E2E_BASE_URL) return;
  // Exit on a signal, so that the emulators of an interrupted run end, too.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  await startQueueEmulator();
  process.env.TEST_COORDINATOR = await openCoordinator({ runsEveryTest: !testNamePattern });
};

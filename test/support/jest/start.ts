import { resolve } from 'node:path';
import type { Config } from 'jest';
import { startQueueEmulator } from '#test/support/emulators/start-emulators.ts';
import { openCoordinator } from './coordinator.ts';

/** Goes with node_modules, whose code fills it. */
const COMPILE_CACHE = resolve('node_modules/.cache/compiled');

/** Jest's global set-up: one SQS emulator for all test files, and the coordinator that gives each a DynamoDB emulator. */
export default async ({ testNamePattern }: Config): Promise<void> => {
  // Every stack and operations command that a test starts reads what Node has compiled before: half the work of its start.
  process.env.NODE_COMPILE_CACHE ??= COMPILE_CACHE;
  // Against a stage that runs already nothing is started, and the user's AWS settings stay.
  if (process.env.E2E_BASE_URL) return;
  // An interrupted run ends its emulators, too: each ends when this process exits.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  await startQueueEmulator();
  process.env.TEST_COORDINATOR = await openCoordinator({ runsEveryTest: !testNamePattern });
};

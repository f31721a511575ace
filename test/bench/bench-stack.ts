import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Stack, startStack } from '#test/support/worlds/stack.ts';

const IN_MEMORY = '/dev/shm';
/** The bench sends with few keys as much as many merchants send, so it needs no rate limits. Without them the service counts no requests. */
const UNLIMITED = { live: 0, test: 0, publicAddress: 0 };

/**
 * Starts a local stack whose table is in memory if the machine has /dev/shm: the speed of a laptop's disk says nothing about DynamoDB.
 * Stopping the local stack frees the memory.
 */
export const startBenchStack = async (env: NodeJS.ProcessEnv): Promise<Stack> => {
  const dataDir = await mkdtemp(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'payments-bench-'));
  const stack = await startStack({ dataDir, env: { RATE_LIMITS: JSON.stringify(UNLIMITED), ...env } });
  const stop = async (): Promise<void> => {
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { ...stack, stop };
};

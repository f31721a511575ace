import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Stack, startStack } from '#test/support/worlds/stack.ts';

const IN_MEMORY = '/dev/shm';
/** One client sends what many do, so nothing is refused; without limits nothing is counted either. */
const UNLIMITED = { live: 0, test: 0, publicAddress: 0 };

/**
 * A local stack whose table lies in memory where the machine allows it: how fast a laptop's disk flushes a file says nothing of
 * DynamoDB. Stopping it frees that memory.
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

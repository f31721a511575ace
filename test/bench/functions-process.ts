import { type ChildProcess, fork } from 'node:child_process';
import type { World } from '#test/support/worlds/world.ts';

/** The message that the process sends when it listens. */
export interface Serving {
  readonly baseUrl: string;
}

interface FunctionsProcess extends Serving {
  stop(): Promise<void>;
}

/** A limit that no run reaches. Every request is still counted, as on a stage. */
const UNREACHED = 10_000_000;

/** Makes the environment of a function that uses a world's table and queues. */
export const functionEnvironment = (world: World): NodeJS.ProcessEnv => {
  const { name } = world.table;
  const queueUrl = (lane: string): string => `${process.env.AWS_ENDPOINT_URL_SQS}/000000000000/${name}-${lane}`;
  return {
    ...process.env,
    NODE_OPTIONS: '',
    TABLE_NAME: name,
    HASH_KEY: world.deps.hashKey,
    FIRST_QUEUE_URL: queueUrl('first'),
    RETRY_QUEUE_URL: queueUrl('retry'),
    SLOW_QUEUE_URL: queueUrl('slow'),
    TEST_QUEUE_URL: queueUrl('test'),
    MONEY_QUEUES_URL: queueUrl('money'),
    PROVIDER_QUOTA: JSON.stringify({
      creations: UNREACHED,
      publicCreations: UNREACHED,
      addressCreations: UNREACHED,
      seconds: 10,
    }),
    RATE_LIMITS: JSON.stringify({ live: UNREACHED, test: UNREACHED, publicAddress: UNREACHED }),
  };
};

const awaitExit = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });

/** Serves the API's functions over a world's table in a child process. */
export const startFunctions = async (world: World): Promise<FunctionsProcess> => {
  const child = fork('test/bench/functions-server.ts', { env: functionEnvironment(world) });
  const serving = new Promise<Serving>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Serving));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The functions ended with code ${code}.`)));
  });
  const { baseUrl } = await serving;
  return {
    baseUrl,
    stop: async () => {
      child.kill('SIGKILL');
      await awaitExit(child);
    },
  };
};

import type { Engine } from './engine.ts';
import { startListening } from './listening-thread.ts';

/**
 * Starts an embedded SQS engine in a thread of its own: in the gateway's, a message would wait for requests that are answered
 * first. It answers clients with this access key id. It is in memory: lost-messages.ts makes up for what it held when a stack ends.
 * @throws what kept the engine from starting.
 */
export const startSqs = (accessKeyId: string): Promise<Engine> =>
  startListening(new URL('./queue-engine-worker.ts', import.meta.url), { accessKeyId });

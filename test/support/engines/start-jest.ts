import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import type { Engine } from '#infra/local/dynamodb-engine.ts';
import { startQueueEngine, startTableEngine } from './start-engines.ts';

/** Thrown away with node_modules, whose code fills it. */
const COMPILE_CACHE = resolve('node_modules/.cache/compiled');

/**
 * Where each test file asks for a DynamoDB engine of its own (own-engine.ts), which ends the one of the worker's file before. The
 * engine walks through the tokens of its last ten minutes at each transaction: in one for all files the last are four times as slow.
 */
const openDesk = async (): Promise<string> => {
  const ofWorker = new Map<string, Engine>();
  const server = createServer(async ({ url: worker = '' }, response) => {
    try {
      await ofWorker.get(worker)?.stop();
      const engine = await startTableEngine();
      ofWorker.set(worker, engine);
      response.end(engine.endpoint);
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening).unref();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** Jest's global set-up: one SQS engine for all test files, and the desk for the others. */
export default async ({ testNamePattern }: { testNamePattern?: string }): Promise<void> => {
  // Of a file whose tests do not all run nobody may ask what they brought about (webhooks-held.ts).
  if (testNamePattern) process.env.SOME_TESTS_ONLY = 'yes';
  // Every stack and operations command that a test starts reads what Node has compiled before: half the work of its start.
  process.env.NODE_COMPILE_CACHE ??= COMPILE_CACHE;
  // Against a stage that runs already nothing is started, and nobody's AWS settings are replaced.
  if (process.env.E2E_BASE_URL) return;
  // A run that is broken off ends its engines, too: each ends when this process exits.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  await startQueueEngine();
  process.env.ENGINE_DESK = await openDesk();
};

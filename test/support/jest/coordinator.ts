import { globSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { relative } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Emulator } from '#infra/local/emulators/emulator.ts';
import { eventType } from '#shared/webhooks/domain/event.ts';
import { startTableEmulator } from '#test/support/emulators/start-emulators.ts';

/* Connects test files, each in a worker of Jest, with the process that runs them all. */

/** A test file, and the types of webhooks that it has compared with the contract. */
interface Report {
  readonly file: string;
  readonly types: readonly string[];
}

const reports: Report[] = [];
let isComplete = false;

/**
 * Opens the coordinator of this run and returns its address. Each file gets its own DynamoDB emulator, which replaces that of the worker's
 * previous file. At each transaction an emulator walks through the tokens of its last ten minutes. So with one emulator for all files,
 * the last files would take four times as long.
 */
export const openCoordinator = async ({ runsEveryTest }: { readonly runsEveryTest: boolean }): Promise<string> => {
  isComplete = runsEveryTest;
  const emulators = new Map<string, Emulator>();
  const emulatorFor = async (worker: string): Promise<string> => {
    await emulators.get(worker)?.stop();
    const emulator = await startTableEmulator();
    emulators.set(worker, emulator);
    return emulator.endpoint;
  };
  const server = createServer(async (request, response) => {
    // A connection that stays open would keep the run from ending.
    response.setHeader('connection', 'close');
    try {
      const [, resource, worker = ''] = (request.url ?? '').split('/');
      if (resource === 'emulators') response.end(await emulatorFor(worker));
      else {
        reports.push(JSON.parse(await text(request)) as Report);
        response.end();
      }
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening).unref();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** The files that together cause a webhook of every type. */
const ALL_FILES = 'test/{integration,contract,e2e}/**/*.test.ts';

/**
 * Lists the types of webhooks that no test has compared with the contract. Returns none unless all tests of integration, contract and e2e
 * have ended: a part of them need not cause every type.
 */
export const listUncheckedTypes = (): readonly string[] => {
  const files = new Set(reports.map(({ file }) => relative('.', file)));
  if (!isComplete || globSync(ALL_FILES).some((file) => !files.has(file))) return [];
  const checked = new Set(reports.flatMap(({ types }) => types));
  return eventType.options.filter((type) => !checked.has(type));
};

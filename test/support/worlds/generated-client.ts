import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isRestOfRun } from '#test/support/jest/long.ts';
import { SEED } from '#test/support/jest/seed.ts';
import { type Merchant, openBusiness } from './merchant.ts';
import { type Stack, startStack } from './stack.ts';

/*
 * A running service for clients that third-party tools generate from its document. The tools are installed from their own lock files, because
 * nothing else needs these tools.
 */

/** The folder of the tools, and of the programs that use their clients. */
export const TOOLS = resolve('test/tools/clients');
/** The most milliseconds for one language. They are many, because the first run downloads and builds its tools. */
export const LIMIT_MS = 600_000;
/** The first lines that each program prints: the paid sum, and the code of an API error. A line with the values of ADDED follows. */
const PAID = 'paid 8500000.75\ncheckout_not_payable\n';
/** The guide's short programs print an account and its amount to pay. */
export const OPENED = /^\d{10} 8500000\.75\n$/;
/** Values that only a later version of the service has. */
const ADDED = { code: 'code_of_tomorrow', provider: 'zenithpay', type: 'checkout.of_tomorrow' };

const exec = promisify(execFile);
const MANY_BYTES = 50_000_000;

/** Runs a command. Its error contains the output. */
export const run = (command: string, args: readonly string[], options: object = {}) =>
  exec(command, args, { maxBuffer: MANY_BYTES, ...options });

/** Makes the answer of a later version: with a code, a provider and a type of event that today's document does not have. */
const asLaterVersion = (text: string): string =>
  text
    .replaceAll(/"code":"\w+"/g, `"code":"${ADDED.code}"`)
    .replaceAll(/"provider":"\w+"/g, `"provider":"${ADDED.provider}"`)
    .replaceAll(/"type":"[\w.]+"/g, `"type":"${ADDED.type}"`);

/** Starts a proxy in front of the service that changes the answers to those of a later version. */
const startLaterVersion = async (baseUrl: string): Promise<Server> => {
  const server = createServer(async (request, reply) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { authorization = '', 'content-type': type } = request.headers;
    const answer = await fetch(`${baseUrl}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { authorization, ...(type && { 'content-type': type }) },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const headers = [...answer.headers].filter(
      ([name]) => !/^(content-length|content-encoding|connection|transfer-encoding|keep-alive)$/.test(name),
    );
    reply.writeHead(answer.status, Object.fromEntries(headers));
    reply.end(asLaterVersion(await answer.text()));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
};

export interface ClientWorld {
  /** A folder with the document. It is removed at the end. */
  readonly folder: string;
  readonly document: string;
  readonly merchant: Merchant;
  /** `BASE_URL`, `KEY`, and `LATER_URL`, the service of a later version; for the guide's programs `PAYMENTS_URL` and `PAYMENTS_KEY`. */
  readonly env: NodeJS.ProcessEnv;
  /** Matches the output of a program that pays, gets an API error, and reads the later version's answers about the same checkout. */
  readonly printed: RegExp;
  readonly stop: () => Promise<void>;
}

const LANGUAGES = ['Go', 'Java', 'PHP', 'Python', 'TypeScript'] as const;

/**
 * Describes the generated clients of a language. `npm run test:long` plays all languages; `.ci/run` plays two, which its seed chooses,
 * because compiling takes minutes and all use the same document.
 */
export const describeClient = (language: (typeof LANGUAGES)[number], scenes: () => void): void => {
  const distance = (LANGUAGES.indexOf(language) + Math.abs(SEED)) % LANGUAGES.length;
  if (!isRestOfRun || distance < 2) describe(`a client in ${language}`, scenes);
  else test.skip(`a client in ${language}, which another seed plays`, () => {});
};

/** Starts a service with a business, and writes its document to a folder. */
export const startClientWorld = async (): Promise<ClientWorld> => {
  const stack: Stack = await startStack();
  const merchant = await openBusiness(stack, 'Ada Stores Limited');
  const laterServer = await startLaterVersion(stack.baseUrl);
  const later = `http://127.0.0.1:${(laterServer.address() as AddressInfo).port}`;
  const folder = await mkdtemp(join(tmpdir(), 'payments-clients-'));
  const document = join(folder, 'openapi.json');
  await writeFile(document, await (await fetch(`${stack.baseUrl}/api/v1/openapi.json`)).text());
  return {
    folder,
    document,
    merchant,
    env: {
      ...process.env,
      BASE_URL: stack.baseUrl,
      LATER_URL: later,
      KEY: merchant.secretTest.key,
      PAYMENTS_URL: stack.baseUrl,
      PAYMENTS_KEY: merchant.secretTest.key,
    },
    printed: new RegExp(`^${PAID}${ADDED.code} ${ADDED.provider} ${ADDED.type} PAY-[0-9A-Z]{20}\n$`),
    stop: async () => {
      laterServer.closeAllConnections();
      laterServer.close();
      await stack.stop();
      await rm(folder, { recursive: true });
    },
  };
};

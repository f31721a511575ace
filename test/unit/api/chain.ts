import { setImmediate as nextTurn } from 'node:timers/promises';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import { api } from '#shared/api/api.ts';
import type { ApiDeps, ApiRequest, Reply } from '#shared/api/http/types.ts';
import { type ApiKey, hashKey, newApiKey } from '#shared/businesses/domain/api-key.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { log, logTo } from '#shared/platform/observability/log.ts';
import type { MetricName } from '#shared/platform/observability/metrics.ts';
import { answerExpiresAt, type Claim, readUsedKey } from '#shared/platform/requests/idempotency.ts';
import type { StoredAnswer, Transactions } from '#shared/platform/requests/ports.ts';
import type { RateLimitUse } from '#shared/platform/requests/rate-limit.ts';
import { type ApiCall, apiEvent, lambdaContext } from '#test/support/worlds/api-event.ts';
import { NOON, storedKey } from './examples.ts';

/* A small endpoint behind the real middleware chain, with plain objects in place of the table. */

/** Not a secret: only this file's in-memory key reader knows it. */
export const KEY = newApiKey('secret', 'test', (length) => new Uint8Array(length).fill(7));

/** The contract of an invented endpoint, which starts a savings plan. It has every part that the contract of a real endpoint has. */
const savingsPlan = contract({
  method: 'POST',
  path: '/api/v1/savings-plans',
  summary: 'Start a savings plan.',
  keys: ['secret', 'public'],
  testOnly: false,
  idempotent: true,
  params: z.object({}),
  query: z.object({ notify: z.enum(['yes', 'no'], 'must be yes or no.').optional() }),
  body: z.object({ saver: z.string('must be a string.'), target: z.number('must be a number in naira.').nullish() }),
  success: {
    status: 201,
    body: z.object({
      status: z.literal(true),
      data: z.object({ saver: z.string(), bank: z.object({ code: z.string() }).optional() }),
    }),
  },
  errors: ['checkout_not_payable'],
});
export type SavingsPlan = typeof savingsPlan;

export const makePlanReply = (saver: unknown): Reply => ({ status: 201, body: { status: true, data: { saver } } });

type KeyRecord = StoredAnswer | Claim;

/** Keeps answers in memory, by the rules of the port. `contention.conflicts`: how many of the next commits meet a conflict. */
const answersInMemory = () => {
  const records = new Map<string, KeyRecord>();
  const contention = { conflicts: 0 };
  const commit: Transactions['commit'] = async (_writes, answer) => {
    if (contention.conflicts > 0) {
      contention.conflicts -= 1;
      return 'conflict';
    }
    const before = answer && records.get(answer.scope);
    if (before && answerExpiresAt(before) > answer.createdAt) {
      const used = readUsedKey<StoredAnswer>(before, answer);
      if (used.kind === 'answered') return used;
    }
    if (answer) records.set(answer.scope, answer);
    return 'committed';
  };
  return {
    records,
    contention,
    commit,
    find: async (scope: string, now: number): Promise<KeyRecord | undefined> => {
      const before = records.get(scope);
      return before && now < answerExpiresAt(before) ? before : undefined;
    },
  };
};

type Work = (request: ApiRequest<SavingsPlan>) => ReturnType<ApiRequest<SavingsPlan>['commit']>;

export interface ChainAnswer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

export interface ChainOptions {
  readonly contract?: Partial<Pick<SavingsPlan, 'keys' | 'testOnly' | 'idempotent' | 'body'>>;
  readonly key?: Partial<ApiKey>;
  /** The stored keys, by the hash of the key; by default only `KEY`. */
  readonly known?: Record<string, ApiKey>;
  readonly work?: Work;
  /** How many requests the key has sent in this second, by the shared count; the limit is 1. By default only this container counts, and the count is 1. */
  readonly counted?: number;
}

/** Makes the endpoint, and records everything that it does. */
export const chainOf = ({
  contract: change = {},
  key = {},
  known,
  work = async ({ body }) => makePlanReply(body.saver),
  counted,
}: ChainOptions = {}) => {
  const lines: string[] = [];
  const measured: MetricName[] = [];
  const lookedUp: string[] = [];
  /** The beginnings and ends of calls to the table. */
  const timeline: string[] = [];
  const timed = async <T>(name: string, result: T): Promise<T> => {
    timeline.push(`${name} asked`);
    await nextTurn();
    timeline.push(`${name} known`);
    return result;
  };
  const requests: ApiRequest<SavingsPlan>[] = [];
  const answers = answersInMemory();
  const clock = { now: NOON };
  const keys = known ?? { [hashKey(KEY)]: storedKey({ hash: hashKey(KEY), ...key }) };
  logTo((line) => lines.push(line));
  const deps: ApiDeps = {
    now: () => clock.now,
    log,
    metrics: (name) => measured.push(name),
    keys: {
      findByHash: async (hash) => {
        lookedUp.push(hash);
        return timed('key', keys[hash]);
      },
    },
    keyUses: { note: async () => {} },
    sessions: { find: async () => undefined },
    members: { find: async () => undefined },
    users: { find: async () => undefined },
    audit: { open: async () => true, close: async () => {}, add: async () => {} },
    usage: { take: async () => true },
    newId: (prefix) => `${prefix}_01JD3N5Y8Z0000000000000000`,
    idempotency: { find: async (...input) => timed('record', await answers.find(...input)) },
    transactions: answers,
    pause: async () => {},
    hashKey: 'a-hash-key-for-tests-of-enough-length',
    countRequest: (rateLimit) =>
      timed<RateLimitUse>(
        'count',
        counted === undefined
          ? { rateLimit, count: 1, countedBy: 'this container' }
          : { rateLimit, count: counted, countedBy: 'all' },
      ),
    rateLimits: { live: 1, test: 1, publicAddress: 1 },
  };
  const handler = api({ ...savingsPlan, ...change } as SavingsPlan, deps, (request) => {
    requests.push(request);
    return work(request);
  });

  const send = async (event: APIGatewayProxyEventV2): Promise<ChainAnswer> => {
    const { statusCode, headers, body } = await handler(event, lambdaContext());
    const text = String(body);
    return { status: Number(statusCode), headers: headers ?? {}, text, body: JSON.parse(text) };
  };
  const call = (change: ApiCall = {}): Promise<ChainAnswer> => send(makeCall(change));
  return { call, send, lines, measured, lookedUp, timeline, requests, answers, clock };
};

/** Makes a valid call of the endpoint, changed by `change`. */
export const makeCall = (change: ApiCall = {}): APIGatewayProxyEventV2 =>
  apiEvent({
    path: savingsPlan.path,
    body: { saver: 'Aisha Bello' },
    ...change,
    headers: { authorization: `Bearer ${KEY}`, ...change.headers },
  });

/** Returns the call without some of its headers. */
export const without = (event: APIGatewayProxyEventV2, ...names: string[]): APIGatewayProxyEventV2 => ({
  ...event,
  headers: Object.fromEntries(Object.entries(event.headers).filter(([name]) => !names.includes(name))),
});

/** Fails with an API error. */
export const failNotPayable: Work = async () => {
  throw new ApiError('checkout_not_payable');
};

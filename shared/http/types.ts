import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Contract } from '#shared/contract/kernel/contract.ts';
import type { ApiKey } from '#shared/domain/businesses/api-key.ts';
import type { Caller } from '#shared/domain/kernel/tenant.ts';
import type { Millis } from '#shared/domain/kernel/time.ts';
import type { SealedAnswer } from '#shared/domain/requests/idempotency.ts';
import type { RateLimits, Used } from '#shared/domain/requests/rate-limit.ts';
import type { Log } from '#shared/observability/log.ts';
import type { KeyReader } from '#shared/ports/businesses.ts';
import type { IdempotencyStore, RequestCounter } from '#shared/ports/requests.ts';

/** What a handler answers with, before the response check turns it into bytes. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** What the stack has learnt about a request so far. Each middleware fills in its own part. */
export interface RequestState {
  readonly startedAt: Millis;
  readonly requestId: string;
  /** How much of its allowances it has used; being counted while its key is looked up. */
  used?: Promise<readonly Used[]>;
  key?: ApiKey;
  caller?: Caller;
  rawBody?: Buffer;
  params?: unknown;
  query?: unknown;
  body?: unknown;
  /** The scope and fingerprint of an Idempotency-Key, when one was sent. */
  idempotency?: Pick<SealedAnswer, 'scope' | 'fingerprint' | 'createdAt'>;
}

/** What a handler is given: all of it parsed. */
export interface ApiRequest<C extends Contract> {
  readonly caller: Caller;
  readonly requestId: string;
  readonly params: z.infer<C['params']>;
  readonly query: z.infer<C['query']>;
  readonly body: z.infer<Exclude<C['body'], null>>;
  /** What a retry with the same Idempotency-Key is recognised by while this request is at work; undefined without a key. */
  readonly claim: Pick<SealedAnswer, 'scope' | 'requestId' | 'fingerprint' | 'createdAt'> | undefined;
  /** The reply as an Idempotency-Key will replay it, for writing in the effect's own transaction; undefined without a key. */
  readonly seal: (reply: Reply) => SealedAnswer | undefined;
}

/** What every endpoint needs, whatever it does. */
export interface ApiDeps {
  readonly now: () => Millis;
  readonly log: Log;
  readonly keys: KeyReader;
  readonly idempotency: IdempotencyStore;
  readonly hashKey: string;
  readonly countRequest: RequestCounter;
  readonly rateLimits: RateLimits;
}

export type ApiEvent = APIGatewayProxyEventV2;
export type ApiResult = APIGatewayProxyStructuredResultV2;
export type ApiContext = Context & { api: RequestState };
/** The part of Middy's request that our middlewares touch. */
export interface MiddyRequest {
  event: ApiEvent;
  context: ApiContext;
  response: ApiResult | Reply | null | undefined;
  error: unknown;
}
export interface ApiMiddleware {
  before?: (request: MiddyRequest) => void | Promise<void>;
  after?: (request: MiddyRequest) => void | Promise<void>;
  onError?: (request: MiddyRequest) => void | Promise<void>;
}

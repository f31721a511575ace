import type middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { ApiKey } from '#shared/businesses/domain/api-key.ts';
import type { Business } from '#shared/businesses/domain/business.ts';
import type { Author, KeyAuthor, MemberChange } from '#shared/businesses/domain/member-change.ts';
import type { AuditLog, BusinessReader, KeyReader, KeyUses, UsageStore } from '#shared/businesses/ports.ts';
import type { Session } from '#shared/members/domain/session.ts';
import type { SessionReader, UserReader } from '#shared/members/ports.ts';
import type { Decided } from '#shared/platform/commit.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';
import type { ApiError } from '#shared/platform/kernel/errors.ts';
import type { Caller } from '#shared/platform/kernel/tenant.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import type { Log } from '#shared/platform/observability/log.ts';
import type { Metrics } from '#shared/platform/observability/metrics.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import type { Claim, KeyedRequest } from '#shared/platform/requests/idempotency.ts';
import type {
  Answered,
  IdempotencyStore,
  RequestCounter,
  StoredAnswer,
  Transactions,
} from '#shared/platform/requests/ports.ts';
import type { RateLimits, RateLimitUse } from '#shared/platform/requests/rate-limit.ts';

/** A handler's answer, before it is checked against the contract. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
  /** The ids of what the request has created, for the log. */
  readonly created?: readonly string[];
  /** Set-Cookie headers of this answer. */
  readonly cookies?: readonly string[];
  /** Headers of this answer alone. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The seconds of the header Retry-After. An answer that asks for another try is not stored under an Idempotency-Key. */
  readonly retryAfterSeconds?: number | undefined;
  /** The serialised reply, if it was checked against the contract before its commit. */
  readonly rendered?: Pick<StoredAnswer, 'status' | 'body'>;
}

/** The parsed parts of a request. */
export interface ApiInput<C extends Contract> {
  readonly params: z.infer<C['params']>;
  readonly query: z.infer<C['query']>;
  readonly body: z.infer<Exclude<C['body'], null>>;
}

/**
 * The caller, as far as it is known. A request with an API key has `key`, and `used` if it was counted. A dashboard request to a business has
 * `session`, `business` and `author`. A dashboard request that concerns no business has only `session`.
 */
export interface Admission {
  /** The error that refuses the request; undefined if it is admitted. */
  readonly error?: ApiError;
  /** The key that was presented, even if it has ended; null if it was never issued. */
  readonly key?: ApiKey | null;
  /** The session of a request to the dashboard. */
  readonly session?: Session;
  /** The member who calls, and the business that was read to admit the member. */
  readonly author?: Author;
  readonly business?: Business;
  /** The caller of an admitted request to a business; undefined if a check refused the request. */
  readonly caller?: Caller;
  /** The rate limits that the request counts for, with their counts. */
  readonly used?: readonly RateLimitUse[];
  /** The record of the request's Idempotency-Key, which is being read; undefined without an Idempotency-Key. */
  readonly record?: { readonly scope: string; readonly lookup: Promise<StoredAnswer | Claim | undefined> } | undefined;
}

/** The state of a request in the middleware chain. Each middleware sets its own part. */
export interface RequestState<C extends Contract = Contract> {
  readonly startedAt: Millis;
  readonly requestId: string;
  admission?: Admission;
  /** Resolves when the use of the API key is written, or when writing it failed. */
  keyUseNote?: Promise<void>;
  rawBody?: Buffer;
  /** The body's JSON object, not validated. */
  json?: Record<string, unknown>;
  input?: ApiInput<C>;
  /** The ids of what the request has created or changed. */
  changedIds?: readonly string[];
  /** Identifies the request under its Idempotency-Key; undefined without an Idempotency-Key, or if a stored answer is replayed. */
  keyed?: KeyedRequest;
  /**
   * The draft of the audit log's entry for a member's request. It is stored before the work, unless the use case itself records the change
   * (`isRecorded`).
   */
  draft?: MemberChange;
  /** The answer that an equal request got before. It is replayed, without the remaining checks and the work. */
  replayed?: StoredAnswer;
  /** Set when an answer is stored under the request's Idempotency-Key. */
  isStored?: true;
  /** Set when all checks have passed and the work begins: only an error of the work may be stored. */
  hasBegun?: true;
}

/** A request as a handler gets it. */
export interface ApiRequest<C extends Contract> extends ApiInput<C> {
  readonly caller: Caller;
  /** The member who calls, for the audit log; undefined for a key. */
  readonly author: Author | undefined;
  /** The member or the live key that makes the change, for the mail to the owners; undefined for a test key, because its changes cause no mail. */
  readonly by: Author | KeyAuthor | undefined;
  readonly requestId: string;
  /** The address that was called (server-address.ts). */
  readonly serverUrl: string;
  /**
   * Identifies this request under its Idempotency-Key, so that a retry with the same key is recognised while this request is in progress;
   * undefined without an Idempotency-Key.
   */
  readonly keyed: KeyedRequest | undefined;
  /**
   * Writes the decision of a use case. With an Idempotency-Key, the reply is written in the same transaction. If a condition of the writes does not
   * hold, for example because another request changed the same item, the use case decides again, and `reply` makes a new reply. The handler returns
   * what `commit` returns.
   */
  readonly commit: <T>(decide: () => Promise<Decided<T>>, reply: (result: T) => Reply) => Promise<Reply | Answered>;
}

/** The dependencies of every endpoint. */
export interface ApiDeps {
  readonly now: () => Millis;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly keys: KeyReader;
  readonly keyUses: KeyUses;
  /** For requests of the dashboard: their session, and the business that they name. */
  readonly sessions: SessionReader;
  readonly members: Pick<BusinessReader, 'find'>;
  /** For requests that need a passkey: reads whether the user still has the passkey that was used in the session. */
  readonly users: UserReader;
  readonly audit: Pick<AuditLog, 'open' | 'close' | 'add'>;
  readonly usage: UsageStore;
  readonly newId: Runtime['newId'];
  readonly idempotency: IdempotencyStore;
  readonly transactions: Transactions;
  readonly pause: Runtime['pause'];
  readonly hashKey: string;
  readonly countRequest: RequestCounter;
  readonly rateLimits: RateLimits;
}

/** The dependencies of a function without a key check. */
export type ChainDeps = Pick<ApiDeps, 'now' | 'log' | 'metrics'>;

/** A request from API Gateway. */
export type ApiEvent = APIGatewayProxyEventV2;

/** A result for API Gateway. */
export interface ApiResult {
  statusCode: number;
  headers: Record<string, string>;
  cookies?: string[];
  body: string;
  isBase64Encoded?: boolean;
}

/** Lambda's context with the state of the request. */
export type ApiContext<C extends Contract = Contract> = Context & { api: RequestState<C> };
/** A middleware of our chains. */
export type ApiMiddleware<C extends Contract = Contract> = middy.MiddlewareObj<
  ApiEvent,
  ApiResult,
  Error,
  ApiContext<C>
>;
/** A function behind API Gateway. */
export type ApiHandler = (event: ApiEvent, context: Context) => Promise<ApiResult>;
/** Middy's request in our chains. */
export type ChainRequest<C extends Contract = Contract> = middy.Request<ApiEvent, ApiResult, Error, ApiContext<C>>;

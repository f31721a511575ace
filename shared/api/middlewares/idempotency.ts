import { type Answer, replyToError, result, serialise } from '#shared/api/http/answer.ts';
import { idempotencyScope, parseIdempotencyKey, requestFingerprint } from '#shared/api/http/idempotency-key.ts';
import { ensureStorable } from '#shared/api/http/storable.ts';
import type {
  Admission,
  ApiDeps,
  ApiEvent,
  ApiMiddleware,
  ApiRequest,
  ApiResult,
  ChainRequest,
  Reply,
  RequestState,
} from '#shared/api/http/types.ts';
import { commitWithAnswer } from '#shared/platform/commit.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';
import { errorAnswer } from '#shared/platform/contract/errors.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import type { Requester } from '#shared/platform/kernel/tenant.ts';
import { type KeyedRequest, readUsedKey } from '#shared/platform/requests/idempotency.ts';
import type { StoredAnswer } from '#shared/platform/requests/ports.ts';

const HIGHEST_STORED_STATUS = 499;

/** Returns the answer to store under the request's Idempotency-Key; undefined without an Idempotency-Key. @throws AnswerTooLarge */
const makeStoredAnswer = ({ keyed }: RequestState, answer: Answer): StoredAnswer | undefined =>
  keyed && ensureStorable({ ...keyed.own, ...answer });

/** Builds the result that replays a stored answer. */
export const replay = (stored: StoredAnswer): ApiResult => result(stored, { 'idempotent-replayed': 'true' });

/** Makes the function `commit` that a handler gets in its ApiRequest. */
export const makeCommit =
  <C extends Contract>(
    contract: C,
    deps: Pick<ApiDeps, 'transactions' | 'pause'>,
    state: RequestState<C>,
  ): ApiRequest<C>['commit'] =>
  async (decide, reply) => {
    const last: { reply?: Reply; isStored?: boolean } = {};
    const outcome = await commitWithAnswer(deps, decide, (decided) => {
      const newReply = reply(decided);
      const rendered = serialise(contract, newReply);
      // An answer that asks for a retry is not final, so it is not stored.
      const stored = newReply.retryAfterSeconds === undefined ? makeStoredAnswer(state, rendered) : undefined;
      Object.assign(last, { reply: { ...newReply, rendered }, isStored: stored !== undefined });
      return stored;
    });
    if (last.isStored || outcome.kind === 'answered') state.isStored = true;
    if (outcome.kind === 'answered') return outcome;
    if (!last.reply) throw new Error('The commit made no reply.');
    return last.reply;
  };

/** Leaves a middleware out if the answer is replayed: nothing is done again, so nothing is checked or recorded. */
export const unlessReplayed = <C extends Contract>({ before, after, onError }: ApiMiddleware<C>): ApiMiddleware<C> => {
  const skipIfReplayed = (step: ApiMiddleware<C>['before']): NonNullable<typeof step> => {
    return (request) => (request.context.api.replayed ? undefined : step?.(request));
  };
  return { before: skipIfReplayed(before), after: skipIfReplayed(after), onError: skipIfReplayed(onError) };
};

/** Reads the Idempotency-Key of a request, if its endpoint honours one. Validation refuses a malformed key later. */
const readIdempotencyKey = ({ idempotent }: Contract, { headers }: ApiEvent): string | undefined =>
  idempotent ? parseIdempotencyKey(headers['idempotency-key']?.trim() ?? '') : undefined;

/**
 * Starts to read the record of a request's Idempotency-Key, so that this read runs while the request is counted; undefined without an
 * Idempotency-Key.
 */
export const readRecord = (
  contract: Contract,
  deps: Pick<ApiDeps, 'idempotency' | 'now'>,
  event: ApiEvent,
  caller: Requester,
): Admission['record'] => {
  const key = readIdempotencyKey(contract, event);
  if (key === undefined) return undefined;
  const scope = idempotencyScope({ ...caller, method: contract.method, path: event.rawPath, key });
  const lookup = deps.idempotency.find(scope, deps.now());
  // If the request is refused, nobody awaits the look-up: its error must not end the process.
  lookup.catch(() => {});
  return { scope, lookup };
};

/**
 * Gives each Idempotency-Key one effect. If an equal request was answered under the key before, this middleware replays that answer: nothing is
 * parsed, validated, done or written again. The first stored answer wins. `commit` writes an answer in one transaction with the change that it
 * reports, so that a crash leaves both or neither. This middleware stores the answers that no `commit` has stored, among them errors with the mark
 * `stored` in the table of API errors. Answers of 5xx, and answers that ask for another try, are not stored, so that the request can be retried.
 */
export const idempotency = (deps: Pick<ApiDeps, 'idempotency' | 'transactions' | 'hashKey' | 'now'>): ApiMiddleware => {
  const storeOrReplay = async (request: ChainRequest, answer: Answer): Promise<void> => {
    const stored = makeStoredAnswer(request.context.api, answer);
    if (!stored || answer.status > HIGHEST_STORED_STATUS) return;
    const outcome = await deps.transactions.commit([], stored);
    if (typeof outcome === 'object' && 'answer' in outcome) request.response = replay(outcome.answer);
  };

  const storeError = async (request: ChainRequest, answer: Answer): Promise<void> => {
    try {
      await storeOrReplay(request, answer);
    } catch (error) {
      // Another request has taken over the Idempotency-Key. This request still answers with its own error.
      if (!(error instanceof ApiError && error.code === 'idempotency_in_progress')) throw error;
    }
  };

  /** Replays the answer of another request that used the same Idempotency-Key while this request worked. @throws as readUsedKey does. */
  const replayIfUsedSince = async (request: ChainRequest, { own }: KeyedRequest): Promise<void> => {
    const record = await deps.idempotency.find(own.scope, own.createdAt);
    if (!record || record.requestId === own.requestId) return;
    const used = readUsedKey(record, own);
    if (used.kind === 'answered') request.response = replay(used.answer);
  };

  const settleError = async (request: ChainRequest, error: ApiError, keyed: KeyedRequest): Promise<void> => {
    const { status, body } = replyToError(error, request.context.api.requestId);
    if (!errorAnswer(error.code).stored) await replayIfUsedSince(request, keyed);
    else await storeError(request, { status, body: JSON.stringify(body) });
  };

  return {
    before: async ({ event, context: { api } }) => {
      const pending = api.admission?.record;
      if (!pending) return;
      const own = {
        scope: pending.scope,
        requestId: api.requestId,
        fingerprint: requestFingerprint(deps.hashKey, event.rawQueryString, api.rawBody ?? Buffer.alloc(0)),
        createdAt: deps.now(),
      };
      const record = await pending.lookup;
      const used = record && readUsedKey(record, own);
      if (used?.kind === 'answered') api.replayed = used.answer;
      else api.keyed = { own, lapsed: used?.claim };
    },
    after: async (request) => {
      const { response } = request;
      const { keyed, isStored } = request.context.api;
      if (response && keyed && !isStored && !('retry-after' in response.headers)) {
        await storeOrReplay(request, { status: response.statusCode, body: response.body });
      }
    },
    onError: async (request) => {
      const { keyed, hasBegun } = request.context.api;
      try {
        if (keyed && hasBegun && request.error instanceof ApiError) await settleError(request, request.error, keyed);
      } catch (error) {
        if (error instanceof Error) request.error = error;
      }
    },
  };
};

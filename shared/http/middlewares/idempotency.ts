import type { Contract } from '#shared/contract/kernel/contract.ts';
import { refusalAnswer } from '#shared/contract/kernel/errors.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import type { Asker } from '#shared/domain/kernel/tenant.ts';
import {
  AnsweredBefore,
  idempotencyScope,
  type KeyedRequest,
  leftUnderKey,
  parseIdempotencyKey,
  requestFingerprint,
  type SealedAnswer,
  storable,
} from '#shared/domain/requests/idempotency.ts';
import { type Answer, replyOf, result } from '#shared/http/kernel/answer.ts';
import type {
  Admission,
  ApiDeps,
  ApiEvent,
  ApiMiddleware,
  RequestState,
  StackRequest,
} from '#shared/http/kernel/types.ts';

const HIGHEST_STORED_STATUS = 499;

/** The answer as it is stored under the request's Idempotency-Key; undefined when none was sent. @throws AnswerTooLarge */
export const sealAnswer = ({ keyed }: RequestState, answer: Answer): SealedAnswer | undefined =>
  keyed && storable({ ...keyed.own, ...answer });

/** The Idempotency-Key of a request to an endpoint that honours one; what has not the form of one is refused later. */
const keyOf = ({ idempotent }: Contract, { headers }: ApiEvent): string | undefined =>
  idempotent ? parseIdempotencyKey(headers['idempotency-key']?.trim() ?? '') : undefined;

/** Begins to read the record of a request's Idempotency-Key, which takes no step of its own beside the count of the request; undefined without a key. */
export const readRecord = (
  contract: Contract,
  deps: Pick<ApiDeps, 'idempotency' | 'now'>,
  event: ApiEvent,
  caller: Asker,
): Admission['record'] => {
  const key = keyOf(contract, event);
  if (key === undefined) return undefined;
  const scope = idempotencyScope({ ...caller, method: contract.method, path: event.rawPath, key });
  const found = deps.idempotency.find(scope, deps.now());
  // A refused request never awaits it.
  found.catch(() => {});
  return { scope, found };
};

const replay = (request: StackRequest, stored: SealedAnswer): void => {
  request.response = result(stored, { 'idempotent-replayed': 'true' });
};

/**
 * One effect for one Idempotency-Key (api-decisions.md section 1). A used key is answered from its record before anything that the record
 * does not depend on may refuse the request: JSON, validation, allowances, the work. The first stored answer wins. A use case stores it in
 * the transaction of its effect, so that a crash cannot separate the two; an answer without an effect is stored here. A repeated request
 * writes nothing and replays the stored answer. Answers of 5xx are not stored, so that the request can be retried.
 */
export const idempotency = (deps: Pick<ApiDeps, 'idempotency' | 'hashKey' | 'now'>): ApiMiddleware => {
  const keepOrReplay = async (request: StackRequest, answer: Answer): Promise<void> => {
    const sealed = sealAnswer(request.context.api, answer);
    if (!sealed || answer.status > HIGHEST_STORED_STATUS) return;
    try {
      await deps.idempotency.save(sealed);
    } catch (error) {
      if (!(error instanceof AnsweredBefore)) throw error;
      // The same request: the use case has stored its answer with its effect.
      if (error.answer.requestId !== sealed.requestId) replay(request, error.answer);
    }
  };

  const keepRefusal = async (request: StackRequest, answer: Answer): Promise<void> => {
    try {
      await keepOrReplay(request, answer);
    } catch (error) {
      // Another request has taken over the claim: this one still answers with its refusal.
      if (!(error instanceof Refusal && error.code === 'idempotency_in_progress')) throw error;
    }
  };

  /** Throws as leftUnderKey does where another request has used the key while this one worked. */
  const ensureUnusedSince = async ({ own }: KeyedRequest): Promise<void> => {
    const record = await deps.idempotency.find(own.scope, own.createdAt);
    if (record && record.requestId !== own.requestId) leftUnderKey(record, own);
  };

  const settleRefusal = async (request: StackRequest, refusal: Refusal, keyed: KeyedRequest): Promise<void> => {
    const { status, body } = replyOf(refusal, request.context.api.requestId);
    if (!refusalAnswer(refusal.code).stored) await ensureUnusedSince(keyed);
    else await keepRefusal(request, { status, body: JSON.stringify(body) });
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
      const record = await pending.found;
      api.keyed = { own, lapsed: record && leftUnderKey(record, own) };
    },
    after: async (request) => {
      const { response } = request;
      // An answer that asks for another try is not the last word.
      if (response && !('retry-after' in response.headers))
        await keepOrReplay(request, { status: response.statusCode, body: response.body });
    },
    onError: async (request) => {
      const { keyed, hasBegun } = request.context.api;
      try {
        if (keyed && hasBegun && request.error instanceof Refusal) await settleRefusal(request, request.error, keyed);
      } catch (error) {
        if (error instanceof Error) request.error = error;
      }
      if (request.error instanceof AnsweredBefore) replay(request, request.error.answer);
    },
  };
};

import type { Contract } from '#shared/contract/kernel/contract.ts';
import { Refusal, type RefusalCode } from '#shared/domain/kernel/errors.ts';
import {
  AnsweredBefore,
  idempotencyScope,
  requestFingerprint,
  type SealedAnswer,
  storable,
} from '#shared/domain/requests/idempotency.ts';
import { type Answer, replyOf, result } from '#shared/http/kernel/answer.ts';
import type { ApiDeps, ApiMiddleware, RequestState, StackRequest } from '#shared/http/kernel/types.ts';

const HIGHEST_STORED_STATUS = 499;

/** The answer as it is stored under the request's Idempotency-Key; undefined when none was sent. @throws AnswerTooLarge */
export const sealAnswer = (state: RequestState, answer: Answer): SealedAnswer | undefined =>
  state.idempotency && storable({ ...state.idempotency, requestId: state.requestId, ...answer });

/** Refusals before any work began, because of the key itself, or that pass: once a delivery or a checkout has ended. */
const NOT_STORED = new Set<RefusalCode>([
  'validation_failed',
  'duplicate_merchant_reference',
  'delivery_in_progress',
  'provider_not_enabled',
  'rate_limited',
  'idempotency_in_progress',
  'idempotency_key_reused',
]);

const replay = (request: StackRequest, stored: SealedAnswer): void => {
  if (stored.fingerprint !== request.context.api.idempotency?.fingerprint) throw new Refusal('idempotency_key_reused');
  request.response = result(stored, { 'idempotent-replayed': 'true' });
};

/**
 * One effect for one Idempotency-Key (api-decisions.md section 1). The first stored answer wins. A use case stores it in the transaction of its
 * effect, so that a crash cannot separate the two; an answer without an effect is stored here. A repeated request writes nothing and
 * replays the stored answer. Where an effect takes more than one transaction, the answer is looked up before the work as well. Answers
 * of 5xx are not stored, so that the request can be retried.
 */
export const idempotency = (contract: Contract, deps: ApiDeps): ApiMiddleware => {
  const storeOrReplay = async (request: StackRequest, answer: Answer): Promise<void> => {
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

  return {
    before: async ({ event, context: { api } }) => {
      const { idempotencyKey: key } = api;
      if (key === undefined || !api.caller) return;
      api.idempotency = {
        scope: idempotencyScope({ ...api.caller, method: contract.method, path: event.rawPath, key }),
        fingerprint: requestFingerprint(deps.hashKey, event.rawQueryString, api.rawBody ?? Buffer.alloc(0)),
        createdAt: deps.now(),
      };
      if (contract.idempotent !== 'looked_up') return;
      const stored = await deps.idempotency.find(api.idempotency.scope, api.idempotency.createdAt);
      if (stored) throw new AnsweredBefore(stored);
    },
    after: async (request) => {
      const { response } = request;
      // An answer that asks for another try is not the last word.
      if (response && !('retry-after' in response.headers))
        await storeOrReplay(request, { status: response.statusCode, body: response.body });
    },
    onError: async (request) => {
      // Without a scope the request was refused before its work began.
      if (!request.context.api.idempotency) return;
      try {
        if (request.error instanceof AnsweredBefore) return replay(request, request.error.answer);
        if (!(request.error instanceof Refusal) || NOT_STORED.has(request.error.code)) return;
        const { status, body } = replyOf(request.error, request.context.api.requestId);
        await storeOrReplay(request, { status, body: JSON.stringify(body) });
      } catch (error) {
        // Another request has taken over the claim: this one still answers with its refusal.
        if (error instanceof Refusal && error.code === 'idempotency_in_progress') return;
        if (error instanceof Error) request.error = error;
      }
    },
  };
};

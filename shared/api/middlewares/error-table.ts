import { errorHeaders, replyToError, result } from '#shared/api/http/answer.ts';
import type { ApiMiddleware } from '#shared/api/http/types.ts';

/** Turns every error into an answer. If an answer exists already, because it was replayed for an Idempotency-Key, it is not replaced. */
export const errorTable = (): ApiMiddleware => ({
  onError: (request) => {
    if (request.response) return;
    const { error } = request;
    const { status, body } = replyToError(error, request.context.api.requestId);
    request.response = result({ status, body: JSON.stringify(body) }, errorHeaders(error));
  },
});

import type { Lambda } from '#infra/local/lambda/lambda.ts';
import { log } from '#shared/observability/log.ts';
import { type Answer, answerOf, ownAnswer } from './answer.ts';
import { limitConcurrency } from './concurrency.ts';
import { preflight, withCors } from './cors.ts';
import { eventOf } from './event.ts';
import type { HttpRequest } from './request.ts';
import { router } from './routes.ts';

/** Answers one request. */
export type Answerer = (request: HttpRequest) => Promise<Answer>;

/** The same, with API Gateway's 500 for whatever it throws. */
export const guarded =
  (answerer: Answerer): Answerer =>
  async (request) => {
    try {
      return await answerer(request);
    } catch (error) {
      log('request_failed', { request_id: request.id }, error);
      return ownAnswer(500, 'Internal Server Error');
    }
  };

/** The API as API Gateway serves it: preflights answered here, everything else by the function that its route names, `concurrency` at once. */
export const api = (lambdas: readonly Lambda[], concurrency = Number.POSITIVE_INFINITY): Answerer => {
  const find = router(lambdas);
  const limited = limitConcurrency(concurrency);
  const invoke = guarded(async (request) => {
    const match = find(request.method, request.path);
    return limited(match.lambda.spec, request.id, async () =>
      answerOf(await match.lambda.invoke(eventOf(request, match))),
    );
  });
  return async (request) => preflight(request) ?? withCors(request, await invoke(request));
};

import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { Contract } from '#shared/contract/kernel/contract.ts';
import { DependencyUnavailable } from '#shared/domain/kernel/errors.ts';
import type { ApiContext, ApiEvent, ApiHandler, ApiMiddleware, ApiResult, PublicDeps, RequestState } from './types.ts';

/** Ends a request this long before the Lambda's time-out, so that it is answered with 503 and not with the gateway's time-out. */
const TIMEOUT_EARLY_MS = 200;

/** Only calls take so long: a dependency did not answer. */
const outOfTime = (): never => {
  throw new DependencyUnavailable('The request ran out of time.');
};

/**
 * Middlewares in front of a handler. Middy runs `before` from the first to the last, `after` and `onError` from the last to the
 * first.
 */
export const stack = <C extends Contract>(
  { now }: Pick<PublicDeps, 'now'>,
  middlewares: ApiMiddleware<C>[],
  handle: (event: ApiEvent, state: RequestState<C>) => Promise<ApiResult>,
): ApiHandler => {
  const run = middy<ApiEvent, ApiResult, Error, ApiContext<C>>({
    timeoutEarlyInMillis: TIMEOUT_EARLY_MS,
    timeoutEarlyResponse: outOfTime,
  })
    .use(middlewares)
    .handler(async (event, { api }) => handle(event, api));
  return async (event: ApiEvent, context: Context) => {
    const api: RequestState<C> = { startedAt: now(), requestId: event.requestContext.requestId };
    return run(event, Object.assign(context, { api }));
  };
};

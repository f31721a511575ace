import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { Contract } from '#shared/platform/contract/contract.ts';
import { DependencyUnavailable } from '#shared/platform/kernel/errors.ts';
import type { ApiContext, ApiEvent, ApiHandler, ApiMiddleware, ApiResult, ChainDeps, RequestState } from './types.ts';

/** Ends a request this many milliseconds before Lambda's time-out, so that it is answered with 503 and not with the gateway's time-out. */
const TIMEOUT_EARLY_MS = 200;

/**
 * Waits for a step of a request, at most until shortly before the function's time-out. Only a call to a dependency can take that long, so the
 * error is DependencyUnavailable. Middy's own early time-out covers the handler alone, but the middlewares before it call the table as well.
 * Without Lambda's context, as in tests, there is no limit.
 * @throws DependencyUnavailable if the time ends first.
 */
const inTime = async <T>(context: Partial<Context>, work: T | Promise<T>): Promise<T> => {
  const remainingMs = context.getRemainingTimeInMillis?.();
  if (remainingMs === undefined || !(work instanceof Promise)) return work;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const end = (): void => reject(new DependencyUnavailable('The request ran out of time.'));
    timer = setTimeout(end, Math.max(0, remainingMs - TIMEOUT_EARLY_MS));
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
};

const limitTime = <C extends Contract>({ before, ...rest }: ApiMiddleware<C>): ApiMiddleware<C> =>
  before ? { ...rest, before: (request) => inTime(request.context, before(request)) } : rest;

/** Puts middlewares before a handler. Middy runs `before` from the first to the last, `after` and `onError` from the last to the first. */
export const middlewareChain = <C extends Contract>(
  { now }: Pick<ChainDeps, 'now'>,
  middlewares: ApiMiddleware<C>[],
  handle: (event: ApiEvent, state: RequestState<C>) => Promise<ApiResult>,
): ApiHandler => {
  const run = middy<ApiEvent, ApiResult, Error, ApiContext<C>>({ timeoutEarlyInMillis: 0 })
    .use(middlewares.map(limitTime))
    .handler((event, context) => inTime(context, handle(event, context.api)));
  return async (event: ApiEvent, context: Context) => {
    const api: RequestState<C> = { startedAt: now(), requestId: event.requestContext.requestId };
    return run(event, Object.assign(context, { api }));
  };
};

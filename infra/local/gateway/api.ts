import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Lambda } from '#infra/local/lambda/lambda.ts';
import { log } from '#shared/platform/observability/log.ts';
import { type Answer, gatewayAnswer, toAnswer } from './answer.ts';
import { limitConcurrency } from './concurrency.ts';
import { answerPreflight, withCors } from './cors.ts';
import { toGatewayEvent } from './event.ts';
import type { HttpHead, HttpRequest } from './request.ts';
import { makeRouter, type RoutedFunction, routedFunction } from './routes.ts';

/** Answers one request. */
export type Answerer = (request: HttpRequest) => Promise<Answer>;

/** The functions that answer the requests of a gateway. */
export interface Service {
  /** Answers a request before its body is read; undefined if the body is needed. So it costs little to refuse the requests of a flood. */
  answerHead(head: HttpHead): Answer | undefined;
  readonly answer: Answerer;
}

/** Calls the Lambda function with this name, and returns its answer. */
export type CallFunction = (name: string, event: APIGatewayProxyEventV2) => Promise<Answer>;

/** Returns the answer, or API Gateway's 500 if `answer` throws. */
export const answerOr500 = async (requestId: string, answer: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await answer();
  } catch (error) {
    log('request_failed', { request_id: requestId }, error);
    return gatewayAnswer(500, 'Internal Server Error');
  }
};

/** Makes a function that calls the functions of this thread by name. */
export const newCaller = (lambdas: readonly Lambda[]): CallFunction => {
  const byName = new Map(lambdas.map((lambda) => [lambda.spec.name, lambda]));
  return (name, event) =>
    answerOr500(event.requestContext.requestId, async () => {
      const lambda = byName.get(name);
      if (!lambda) throw new Error(`There is no function ${name}.`);
      return toAnswer(await lambda.invoke(event));
    });
};

/**
 * Serves the API as API Gateway does. Preflights are answered here. Other requests go to the function of their route. Each function handles at
 * most `concurrency` requests at once.
 */
export const serveApi = (functions: readonly RoutedFunction[], call: CallFunction, concurrency: number): Service => {
  const find = makeRouter(functions);
  const limit = limitConcurrency(concurrency);
  return {
    answerHead: (head) => {
      const busyAnswer = limit.answerIfFull(find(head.method, head.path), head.id);
      return answerPreflight(head) ?? (busyAnswer && withCors(head, busyAnswer));
    },
    answer: async (request) => {
      const match = find(request.method, request.path);
      const answer = await limit.inTurn(match, request.id, () => call(match.name, toGatewayEvent(request, match)));
      return withCors(request, answer);
    },
  };
};

/** Serves the API with functions of this thread, without a limit of concurrency. */
export const serveLambdas = (lambdas: readonly Lambda[]): Service =>
  serveApi(
    lambdas.map(({ spec }) => routedFunction(spec)),
    newCaller(lambdas),
    Number.POSITIVE_INFINITY,
  );

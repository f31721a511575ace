import type { Contract } from '#shared/platform/contract/contract.ts';
import { type ErrorBody, errorAnswer, errorBody } from '#shared/platform/contract/errors.ts';
import { ApiError, type ApiErrorCode, DependencyUnavailable } from '#shared/platform/kernel/errors.ts';
import { writeHint } from './hints.ts';
import type { ApiResult, ChainRequest, Reply } from './types.ts';

/** An answer, as its client reads it and as it is stored under an Idempotency-Key. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** A handler's reply does not match its contract. */
export class OffContract extends Error {
  readonly fields: string;
  constructor(fields: string) {
    super(`The answer does not match its contract at: ${fields}.`);
    this.name = 'OffContract';
    this.fields = fields;
  }
}

/** The error of a path that does not take the request's method. */
export class MethodNotAllowed extends ApiError {
  /** The methods that the path takes. */
  readonly allowed: readonly string[];
  constructor(allowed: readonly string[]) {
    super('method_not_allowed', { message: `This path takes ${allowed.join(' and ')}.` });
    this.allowed = allowed;
  }
}

/**
 * Serialises a reply, without the fields that its contract does not name.
 * @throws OffContract if the reply does not match the contract.
 */
export const serialise = (contract: Contract, reply: Reply): Answer => {
  const isSuccess = reply.status === contract.success.status;
  const schema = isSuccess ? contract.success.body : errorBody;
  const parsed = schema.safeParse(reply.body);
  if (!parsed.success) throw new OffContract(parsed.error.issues.map((issue) => issue.path.join('.')).join(', '));
  const isText = isSuccess && contract.success.type !== undefined;
  return { status: reply.status, body: isText ? String(parsed.data) : JSON.stringify(parsed.data) };
};

/**
 * Builds the reply to an error, with status, code and message from the table of API errors. `more` may replace the message, and may add `errors`
 * and `accounts`.
 */
export const errorReply = (
  code: ApiErrorCode,
  requestId: string,
  more: Partial<Pick<ErrorBody, 'message' | 'errors' | 'accounts'>> = {},
): Reply => {
  const { status, message } = errorAnswer(code);
  const { message: ownMessage, ...lists } = more;
  return { status, body: { status: false, message: ownMessage ?? message, code, request_id: requestId, ...lists } };
};

/** Seconds after which to retry when a dependency does not answer. */
const DEPENDENCY_RETRY_SECONDS = 1;

/**
 * Builds the reply to an error. An ApiError has its own answer, and a dependency that does not answer is `service_unavailable`. Any other
 * error is `internal_error`, which does not reveal its cause.
 */
export const replyToError = (error: unknown, requestId: string): Reply => {
  if (error instanceof DependencyUnavailable) return errorReply('service_unavailable', requestId);
  if (!(error instanceof ApiError)) return errorReply('internal_error', requestId);
  const { message, errors, failures } = error.details;
  const hint = writeHint(error);
  const fullMessage = hint === undefined ? message : `${message ?? errorAnswer(error.code).message} ${hint}`;
  return errorReply(error.code, requestId, {
    ...(fullMessage !== undefined && { message: fullMessage }),
    ...(errors && { errors: errors.map(({ field, message: text }) => ({ field, message: text })) }),
    ...(failures && { errors: [...failures] }),
  });
};

/** Builds the API Gateway result of an answer. */
export const result = (answer: Answer, headers: Record<string, string> = {}): ApiResult => ({
  statusCode: answer.status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: answer.body,
});

/** Builds the Retry-After header; no header if `seconds` is undefined. */
export const retryAfter = (seconds: number | undefined): Record<string, string> =>
  seconds === undefined ? {} : { 'retry-after': String(seconds) };

/** Returns the seconds after which to repeat a request that met this error; undefined if the error does not say. */
const repeatAfter = (error: unknown): number | undefined => {
  if (error instanceof DependencyUnavailable) return DEPENDENCY_RETRY_SECONDS;
  return error instanceof ApiError ? error.details.retryAfterSeconds : undefined;
};

/** Builds the headers of an error answer: when to repeat the request, which methods its path takes, how to authenticate. */
export const errorHeaders = (error: unknown): Record<string, string> => {
  const challenge = error instanceof ApiError ? errorAnswer(error.code).challenge : undefined;
  return {
    ...retryAfter(repeatAfter(error)),
    ...(error instanceof MethodNotAllowed && { allow: error.allowed.join(', ') }),
    ...(challenge && { 'www-authenticate': challenge }),
  };
};

/** Adds headers to the request's response. */
export const setHeaders = (request: ChainRequest, headers: Record<string, string>): void => {
  if (request.response) request.response.headers = { ...request.response.headers, ...headers };
};

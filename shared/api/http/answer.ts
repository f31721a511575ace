import type { Contract } from '#shared/platform/contract/contract.ts';
import { type ErrorBody, errorAnswer, errorBody } from '#shared/platform/contract/errors.ts';
import { ApiError, type ApiErrorCode, DependencyUnavailable } from '#shared/platform/kernel/errors.ts';
import { writeHint } from './hints.ts';
import type { ApiResult, Reply, StackRequest } from './types.ts';

/** An answer as its client reads it, and as it is stored under an Idempotency-Key. */
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

/** A path does not take the method of a request. */
export class MethodNotAllowed extends ApiError {
  /** The methods that it takes. */
  readonly allowed: readonly string[];
  constructor(allowed: readonly string[]) {
    super('method_not_allowed', { message: `This path takes ${allowed.join(' and ')}.` });
    this.allowed = allowed;
  }
}

/**
 * The bytes of a reply, without the fields that its contract does not name.
 * @throws OffContract when the reply does not match the contract.
 */
export const serialise = (contract: Contract, reply: Reply): Answer => {
  const isSuccess = reply.status === contract.success.status;
  const schema = isSuccess ? contract.success.body : errorBody;
  const parsed = schema.safeParse(reply.body);
  if (!parsed.success) throw new OffContract(parsed.error.issues.map((issue) => issue.path.join('.')).join(', '));
  const isText = isSuccess && contract.success.type !== undefined;
  return { status: reply.status, body: isText ? String(parsed.data) : JSON.stringify(parsed.data) };
};

/** The reply to a refusal: status, code and message from the table of refusals, unless `more` replaces or adds to them. */
export const errorReply = (
  code: ApiErrorCode,
  requestId: string,
  more: Partial<Pick<ErrorBody, 'message' | 'errors' | 'accounts'>> = {},
): Reply => {
  const { status, message } = errorAnswer(code);
  const { message: own, ...lists } = more;
  return { status, body: { status: false, message: own ?? message, code, request_id: requestId, ...lists } };
};

/** Seconds after which a dependency that does not answer now may. */
const DEPENDENCY_BACK_IN = 1;

/**
 * The reply to an error: a refusal's own; `service_unavailable` for a dependency that does not answer; or `internal_error`, which does
 * not reveal its cause.
 */
export const replyToError = (error: unknown, requestId: string): Reply => {
  if (error instanceof DependencyUnavailable) return errorReply('service_unavailable', requestId);
  if (!(error instanceof ApiError)) return errorReply('internal_error', requestId);
  const { message, errors, failures } = error.details;
  const hint = writeHint(error);
  const own = hint === undefined ? message : `${message ?? errorAnswer(error.code).message} ${hint}`;
  return errorReply(error.code, requestId, {
    ...(own !== undefined && { message: own }),
    ...(errors && { errors: errors.map(({ field, message: text }) => ({ field, message: text })) }),
    ...(failures && { errors: [...failures] }),
  });
};

/** The API Gateway result of an answer. */
export const result = (answer: Answer, headers: Record<string, string> = {}): ApiResult => ({
  statusCode: answer.status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: answer.body,
});

/** The header that says when to try again; none when nothing does. */
export const retryAfter = (seconds: number | undefined): Record<string, string> =>
  seconds === undefined ? {} : { 'retry-after': String(seconds) };

/** Seconds after which a request that met this error is worth repeating; undefined when nothing says so. */
const repeatAfter = (error: unknown): number | undefined => {
  if (error instanceof DependencyUnavailable) return DEPENDENCY_BACK_IN;
  return error instanceof ApiError ? error.details.retryAfterSeconds : undefined;
};

/** The headers of the answer to an error: when to repeat the request, what its path takes, how to authenticate. */
export const errorHeaders = (error: unknown): Record<string, string> => {
  const challenge = error instanceof ApiError ? errorAnswer(error.code).challenge : undefined;
  return {
    ...retryAfter(repeatAfter(error)),
    ...(error instanceof MethodNotAllowed && { allow: error.allowed.join(', ') }),
    ...(challenge && { 'www-authenticate': challenge }),
  };
};

/** Adds headers to the request's response. */
export const setHeaders = (request: StackRequest, headers: Record<string, string>): void => {
  if (request.response) request.response.headers = { ...request.response.headers, ...headers };
};

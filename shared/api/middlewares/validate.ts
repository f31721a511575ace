import type * as z from 'zod/mini';
import { parseIdempotencyKey, WRONG_IDEMPOTENCY_KEY } from '#shared/api/http/idempotency-key.ts';
import type { ApiEvent, ApiInput, ApiMiddleware, RequestState } from '#shared/api/http/types.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';
import { type FieldError, invalid } from '#shared/platform/kernel/errors.ts';
import { metadataErrors } from './metadata-errors.ts';
import { queryNameErrors } from './query-errors.ts';
import { parseJsonBody } from './read-body.ts';

type Issue = z.core.$ZodIssue;

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], input);

/** Describes an issue without quoting what was sent. A message that begins with `must` follows the field's name: "amount must be …". */
const fieldError = (input: unknown, { path, message }: Issue): FieldError => {
  const field = path.join('.');
  if (valueAt(input, path) === undefined && message.startsWith('must be ')) {
    return { field, message: `${field} is required and ${message}` };
  }
  return { field, message: message.startsWith('must ') ? `${field} ${message}` : message };
};

/** The parsed input, or its errors. */
type Parsed<T> = { readonly data: T; readonly errors?: undefined } | { readonly errors: readonly FieldError[] };

const parse = <S extends z.ZodMiniType>(schema: S, input: unknown): Parsed<z.infer<S>> => {
  const parsed = schema.safeParse(input);
  if (parsed.success) return { data: parsed.data };
  return { errors: parsed.error.issues.map((issue) => fieldError(input, issue)) };
};

/** Parses the body; undefined if the contract has no body. TypeScript cannot derive that type for a generic contract, hence the assertion. */
const parseBody = <B extends z.ZodMiniType | null>(schema: B, json: unknown): Parsed<z.infer<Exclude<B, null>>> =>
  (schema === null ? { data: undefined } : parse(schema, json)) as Parsed<z.infer<Exclude<B, null>>>;

/** Lists what is wrong with an Idempotency-Key that the endpoint honours. */
const keyErrors = ({ idempotent }: Contract, header: string | undefined): readonly FieldError[] =>
  idempotent && header !== undefined && parseIdempotencyKey(header) === undefined ? [WRONG_IDEMPOTENCY_KEY] : [];

/**
 * Parses path, query, body and Idempotency-Key as the contract describes them.
 * @throws ApiError `validation_failed`, with everything that is wrong.
 */
export const parseInput = <C extends Contract>(
  contract: C,
  event: Pick<ApiEvent, 'pathParameters' | 'queryStringParameters' | 'rawQueryString' | 'headers'>,
  sent: Pick<RequestState, 'json' | 'rawBody'>,
): ApiInput<C> => {
  const params = parse<C['params']>(contract.params, event.pathParameters ?? {});
  const query = parse<C['query']>(contract.query, event.queryStringParameters ?? {});
  const body = parseBody<C['body']>(contract.body, sent.json);
  const wrongKey = keyErrors(contract, event.headers['idempotency-key']?.trim());
  const nameErrors = queryNameErrors(contract, event.rawQueryString);
  const lost = metadataErrors(contract, sent);
  if (params.errors || query.errors || nameErrors.length > 0 || body.errors || lost.length > 0 || wrongKey.length > 0) {
    // A repeated parameter has one error of its own; its joined values need no second one.
    const values = query.errors?.filter(({ field }) => !nameErrors.some((error) => error.field === field));
    const all = [params.errors, values, nameErrors, body.errors, lost, wrongKey];
    throw invalid(...all.flatMap((errors) => errors ?? []));
  }
  return { params: params.data, query: query.data, body: body.data };
};

/** Reads the body's JSON and validates what the request carries. */
export const validate = <C extends Contract>(contract: C): ApiMiddleware<C> => ({
  before: ({ event, context: { api } }) => {
    parseJsonBody(contract, api);
    api.input = parseInput(contract, event, api);
  },
});

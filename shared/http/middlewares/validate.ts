import type * as z from 'zod/mini';
import type { Contract } from '#shared/contract/kernel/contract.ts';
import { parametersOf } from '#shared/contract/kernel/parameters-of.ts';
import { type FieldError, invalid } from '#shared/domain/kernel/errors.ts';
import { parseIdempotencyKey, WRONG_IDEMPOTENCY_KEY } from '#shared/domain/requests/idempotency.ts';
import type { ApiEvent, ApiInput, ApiMiddleware, RequestState } from '#shared/http/kernel/types.ts';
import { takeJson } from './read-body.ts';

type Issue = z.core.$ZodIssue;

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], input);

/** A sentence about a field that never quotes what was sent. Messages continue the field's name: "amount must be …". */
const fieldError = (input: unknown, { path, message }: Issue): FieldError => {
  const field = path.join('.');
  if (valueAt(input, path) === undefined && message.startsWith('must be ')) {
    return { field, message: `${field} is required and ${message}` };
  }
  return { field, message: message.startsWith('must ') ? `${field} ${message}` : message };
};

/** What a schema makes of an input, or what is wrong with it. */
type Parsed<T> = { readonly data: T; readonly errors?: undefined } | { readonly errors: readonly FieldError[] };

const parse = <S extends z.ZodMiniType>(schema: S, input: unknown): Parsed<z.infer<S>> => {
  const parsed = schema.safeParse(input);
  if (parsed.success) return { data: parsed.data };
  return { errors: parsed.error.issues.map((issue) => fieldError(input, issue)) };
};

/** The body; undefined where the contract has none. The assertion: TypeScript cannot derive that for a generic contract. */
const parseBody = <B extends z.ZodMiniType | null>(schema: B, json: unknown): Parsed<z.infer<Exclude<B, null>>> =>
  (schema === null ? { data: undefined } : parse(schema, json)) as Parsed<z.infer<Exclude<B, null>>>;

const MOST_UNKNOWN = 10;
const LONGEST_NAME = 64;

/** A mistyped filter must not return everything, so an authenticated GET or DELETE takes no parameter that it does not know. */
const unknownParameters = ({ method, query }: Contract, given: Readonly<Record<string, unknown>>): FieldError[] => {
  if (method !== 'GET' && method !== 'DELETE') return [];
  const known = parametersOf(query);
  const taken = known.length > 0 ? `It takes ${known.join(', ')}.` : 'It takes none.';
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .slice(0, MOST_UNKNOWN)
    .map((name) => name.slice(0, LONGEST_NAME).toWellFormed())
    .map((field) => ({ field, message: `${field} is not a query parameter of this request. ${taken}` }));
};

/** What is wrong with an Idempotency-Key that is honoured. */
const keyErrors = ({ idempotent }: Contract, header: string | undefined): readonly FieldError[] =>
  idempotent && header !== undefined && parseIdempotencyKey(header) === undefined ? [WRONG_IDEMPOTENCY_KEY] : [];

/**
 * Path, query, body and Idempotency-Key as the contract describes them.
 * @throws validation_failed, which names everything that is wrong.
 */
export const parseInput = <C extends Contract>(
  contract: C,
  event: Pick<ApiEvent, 'pathParameters' | 'queryStringParameters' | 'headers'>,
  json: unknown,
): ApiInput<C> => {
  const given = event.queryStringParameters ?? {};
  const params = parse<C['params']>(contract.params, event.pathParameters ?? {});
  const query = parse<C['query']>(contract.query, given);
  const body = parseBody<C['body']>(contract.body, json);
  const wrongKey = keyErrors(contract, event.headers['idempotency-key']?.trim());
  const unknown = unknownParameters(contract, given);
  if (params.errors || query.errors || unknown.length > 0 || body.errors || wrongKey.length > 0) {
    const all = [params.errors, query.errors, unknown, body.errors, wrongKey];
    throw invalid(...all.flatMap((errors) => errors ?? []));
  }
  return { params: params.data, query: query.data, body: body.data };
};

/** Sets the request's input unless it was parsed before. @throws what takeJson and parseInput throw. */
export const takeInput = <C extends Contract>(contract: C, event: ApiEvent, state: RequestState<C>): ApiInput<C> => {
  if (state.input) return state.input;
  takeJson(contract, state);
  state.input = parseInput(contract, event, state.json);
  return state.input;
};

/** Reads the body's JSON and validates what the request carries. */
export const validate = <C extends Contract>(contract: C): ApiMiddleware<C> => ({
  before: ({ event, context }) => {
    takeInput(contract, event, context.api);
  },
});

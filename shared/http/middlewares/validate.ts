import type * as z from 'zod/mini';
import type { Contract } from '#shared/contract/kernel/contract.ts';
import { type FieldError, invalid } from '#shared/domain/kernel/errors.ts';
import type { ApiEvent, ApiInput, ApiMiddleware } from '#shared/http/kernel/types.ts';

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

const parse = <S extends z.ZodMiniType>(schema: S, input: unknown): z.infer<S> => {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw invalid(...parsed.error.issues.map((issue) => fieldError(input, issue)));
};

/** The body; undefined where the contract has none. The assertion: TypeScript cannot derive that for a generic contract. */
const parseBody = <B extends z.ZodMiniType | null>(schema: B, json: unknown): z.infer<Exclude<B, null>> =>
  (schema === null ? undefined : parse(schema, json)) as z.infer<Exclude<B, null>>;

/**
 * Path, query and body as the contract describes them.
 * @throws validation_failed, which names the fields that are wrong.
 */
export const parseInput = <C extends Contract>(
  contract: C,
  event: Pick<ApiEvent, 'pathParameters' | 'queryStringParameters'>,
  json: unknown,
): ApiInput<C> => ({
  params: parse<C['params']>(contract.params, event.pathParameters ?? {}),
  query: parse<C['query']>(contract.query, event.queryStringParameters ?? {}),
  body: parseBody<C['body']>(contract.body, json),
});

/** Sets the request's input. */
export const validate = <C extends Contract>(contract: C): ApiMiddleware<C> => ({
  before: ({ event, context: { api } }) => {
    api.input = parseInput(contract, event, api.json);
  },
});

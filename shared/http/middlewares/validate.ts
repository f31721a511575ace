import type * as z from 'zod/mini';
import type { Contract } from '#shared/contract/kernel/contract.ts';
import { type FieldError, invalid } from '#shared/domain/kernel/errors.ts';
import type { ApiMiddleware } from '#shared/http/types.ts';

type Issue = z.core.$ZodIssue;

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], input);

/** A sentence about a field that never quotes what was sent. Rules read on from the field's name: "amount must be …". */
const fieldError = (input: unknown, { path, message }: Issue): FieldError => {
  const field = path.join('.');
  if (valueAt(input, path) === undefined && message.startsWith('must be ')) {
    return { field, message: `${field} is required and ${message}` };
  }
  return { field, message: message.startsWith('must ') ? `${field} ${message}` : message };
};

const parse = (schema: z.ZodMiniType, input: unknown): unknown => {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw invalid(...parsed.error.issues.map((issue) => fieldError(input, issue)));
};

/** Parses path, query and body by the contract; what is wrong is named field by field. */
export const validate = (contract: Contract): ApiMiddleware => ({
  before: ({ event, context: { api } }) => {
    api.params = parse(contract.params, event.pathParameters ?? {});
    api.query = parse(contract.query, event.queryStringParameters ?? {});
    if (contract.body) api.body = parse(contract.body, api.body);
  },
});

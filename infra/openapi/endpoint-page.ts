import type * as z from 'zod/mini';
import type { Contract } from '#shared/contract/kernel/contract.ts';
import type { TagName } from './tags.ts';

/** A request or an answer that the document shows, under a name of its own. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

/** A parameter of the path, with a value that people may try. */
export interface PathParameter {
  readonly description: string;
  readonly example: string;
}

/** What is wrong with one field, as a 422 says it. */
interface Invalid {
  readonly field: string;
  readonly message: string;
}

/** What the document tells of an endpoint beyond its contract. Functions never load this: it would be in every bundle. */
export interface EndpointPage {
  readonly contract: Contract;
  readonly tag: TagName;
  readonly title: string;
  readonly description: string;
  readonly path: Readonly<Record<string, PathParameter>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, string>>;
  readonly requests: Readonly<Record<string, Example>>;
  readonly answers: Readonly<Record<string, Example>>;
  /** What its `validation_failed` may say; none where nothing can be wrong. */
  readonly invalid: readonly Invalid[];
  /** Sentences of its own for refusals, and what they add. */
  readonly refusals?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Sentences about exactly the fields that a schema takes; none where it takes none. */
type About<S extends z.ZodMiniType | null, Text> = S extends z.ZodMiniType
  ? Readonly<Record<Extract<keyof z.input<S>, string>, Text>>
  : Readonly<Record<never, Text>>;

/** A page of the document; a parameter or field that it forgets or makes up fails the type check. */
export const page = <C extends Contract>(
  contract: C,
  rest: Omit<EndpointPage, 'contract' | 'path' | 'query' | 'body'> & {
    readonly path: About<C['params'], PathParameter>;
    readonly query: About<C['query'], string>;
    readonly body: About<C['body'], string>;
  },
): EndpointPage => ({ contract, ...rest });

/** A success with the usual envelope. */
export const success = (data: unknown, message?: string): unknown => ({
  status: true,
  ...(message !== undefined && { message }),
  data,
});

/** One page of a list, and the last one. */
export const list = (...data: readonly unknown[]): unknown => ({
  status: true,
  data,
  meta: { has_more: false, next_cursor: null },
});

/** The parameters of every list. */
export const LIST_QUERY = {
  limit: 'How many a page holds at most: 1 to 100.',
  cursor: 'The `next_cursor` of the page before. It belongs to this list, your business and the mode.',
};

/** What a list answers to a cursor that it did not give. */
export const INVALID_CURSOR = { field: 'cursor', message: 'cursor must be a next_cursor that this list gave you.' };

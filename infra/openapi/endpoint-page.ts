import type * as z from 'zod/mini';
import type { Contract } from '#shared/platform/contract/contract.ts';
import type { TagName } from './tags.ts';

/** An example of a request or an answer. */
export interface Example {
  readonly summary: string;
  readonly description?: string;
  readonly value: unknown;
}

/** A path parameter with an example value. */
export interface PathParameter {
  readonly description: string;
  readonly example: string;
}

/** The error of one field in a 422. */
interface Invalid {
  readonly field: string;
  readonly message: string;
}

/** What the document says of an endpoint beyond its contract. Functions never load this, so that it is in no bundle. */
export interface EndpointPage {
  readonly contract: Contract;
  readonly tag: TagName;
  readonly title: string;
  readonly description: string;
  readonly path: Readonly<Record<string, PathParameter>>;
  /** What a query parameter is for; with an example where every request needs the parameter. */
  readonly query: Readonly<Record<string, string | PathParameter>>;
  readonly body: Readonly<Record<string, string>>;
  readonly requests: Readonly<Record<string, Example>>;
  readonly answers: Readonly<Record<string, Example>>;
  /** Examples of field errors in its `validation_failed`; empty when the request has no fields. */
  readonly invalid: readonly Invalid[];
  /** The endpoint's own messages and details of refusals. */
  readonly errors?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** A description of each field of a schema; none when the schema has no fields. */
type About<S extends z.ZodMiniType | null, Text> = S extends z.ZodMiniType
  ? Readonly<Record<Extract<keyof z.input<S>, string>, Text>>
  : Readonly<Record<never, Text>>;

/** Declares an endpoint's page. A missing or unknown parameter or field fails the type check. */
export const page = <C extends Contract>(
  contract: C,
  rest: Omit<EndpointPage, 'contract' | 'path' | 'query' | 'body'> & {
    readonly path: About<C['params'], PathParameter>;
    readonly query: About<C['query'], string | PathParameter>;
    readonly body: About<C['body'], string>;
  },
): EndpointPage => ({ contract, ...rest });

/** Of a field that takes metadata. */
export const METADATA_SENT =
  'Any JSON object of at most 2 KiB. It comes back in answers and webhooks with the same members and values; so a number that a 64-bit float cannot hold exactly, such as a long id, or a member twice is refused: send ids as strings. The order of members may change.';

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

/** The field error for a cursor that a list did not issue. */
export const INVALID_CURSOR = { field: 'cursor', message: 'cursor must be a cursor that this list gave you.' };

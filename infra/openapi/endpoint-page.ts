import type * as z from 'zod/mini';
import type { Contract } from '#shared/platform/contract/contract.ts';
import type { TagName } from './tags.ts';

/** An example of a request or an answer. */
export interface Example {
  readonly summary: string;
  readonly description?: string;
  readonly value: unknown;
}

/** The texts of a path parameter, or of a required query parameter. */
export interface PathParameter {
  readonly description: string;
  readonly example: string;
}

/** The error of one field in a 422. */
interface Invalid {
  readonly field: string;
  readonly message: string;
}

/** The texts and examples that the document shows about an endpoint. Functions load only the contract, so no bundle contains these texts. */
export interface EndpointPage {
  readonly contract: Contract;
  readonly tag: TagName;
  readonly title: string;
  readonly description: string;
  readonly path: Readonly<Record<string, PathParameter>>;
  /** The purpose of each query parameter; a required parameter also has an example. */
  readonly query: Readonly<Record<string, string | PathParameter>>;
  readonly body: Readonly<Record<string, string>>;
  readonly requests: Readonly<Record<string, Example>>;
  readonly answers: Readonly<Record<string, Example>>;
  /** Examples of field errors for `validation_failed`; empty if the request has no fields. */
  readonly invalid: readonly Invalid[];
  /** Messages and details of API errors that are specific to the endpoint. */
  readonly errors?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** One text for each field of a schema; no texts if there is no schema. */
type FieldTexts<S extends z.ZodMiniType | null, Text> = S extends z.ZodMiniType
  ? Readonly<Record<Extract<keyof z.input<S>, string>, Text>>
  : Readonly<Record<never, Text>>;

/** Declares an endpoint's page. A missing or unknown parameter or field fails the type check. */
export const page = <C extends Contract>(
  contract: C,
  rest: Omit<EndpointPage, 'contract' | 'path' | 'query' | 'body'> & {
    readonly path: FieldTexts<C['params'], PathParameter>;
    readonly query: FieldTexts<C['query'], string | PathParameter>;
    readonly body: FieldTexts<C['body'], string>;
  },
): EndpointPage => ({ contract, ...rest });

/** The description of every `metadata` field in a request. */
export const METADATA_SENT =
  'Any JSON object of at most 2 KiB. It comes back in answers and webhooks with the same members and values, but their order may change. The API refuses a member that is given twice, and a number that a 64-bit float cannot hold exactly, such as a long id: send ids as strings.';

/** Makes the body of a success: the usual envelope around `data`. */
export const success = (data: unknown, message?: string): unknown => ({
  status: true,
  ...(message !== undefined && { message }),
  data,
});

/** Makes the body of a list's last page. */
export const list = (...data: readonly unknown[]): unknown => ({
  status: true,
  data,
  meta: { has_more: false, next_cursor: null },
});

/** The parameters of every list. */
export const LIST_QUERY = {
  limit: 'The largest number of entries on a page: 1 to 100.',
  cursor: 'The `next_cursor` of the previous page. It is valid for this list, your business and this mode only.',
};

/** The field error for a cursor that the list did not issue. */
export const INVALID_CURSOR = { field: 'cursor', message: 'cursor must be a cursor that this list gave you.' };

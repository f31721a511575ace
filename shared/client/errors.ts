import type { ErrorCode, ErrorDetail } from './types.ts';

/** The client's own codes: the API did not answer, did not answer in time, or gave an answer that cannot be read. */
export type LocalCode = 'connection_failed' | 'timed_out' | 'unreadable_answer';

/** The code of an error, for programs. The API may add codes: if you do not know one, use `status`. */
export type PaymentsErrorCode = ErrorCode | LocalCode;

interface About {
  readonly code: PaymentsErrorCode;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly errors?: readonly ErrorDetail[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** A call failed: the API answered with an error, or did not answer. */
export class PaymentsError<Code extends PaymentsErrorCode = PaymentsErrorCode> extends Error {
  override readonly name = 'PaymentsError';
  readonly code: Code;
  /** The HTTP status; undefined without an answer. */
  readonly status: number | undefined;
  /** The id of the request. Quote it when you ask us about the call. */
  readonly requestId: string | undefined;
  /** The errors of single fields or providers. */
  readonly errors: readonly ErrorDetail[];
  /** Seconds after which to try again, if the API says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, about: About & { readonly code: Code }) {
    super(message, { cause: about.cause });
    this.code = about.code;
    this.status = about.status;
    this.requestId = about.requestId;
    this.errors = about.errors ?? [];
    this.retryAfterSeconds = about.retryAfterSeconds;
  }
}

/** Checks whether an error is a failed call with one of these codes. Without codes, any failed call matches. */
export const isPaymentsError = <Code extends PaymentsErrorCode = PaymentsErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is PaymentsError<Code> =>
  error instanceof PaymentsError &&
  (codes.length === 0 || (codes as readonly PaymentsErrorCode[]).includes(error.code));

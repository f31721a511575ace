import type { ErrorCode, ErrorDetail } from './types.ts';

/** Codes of the client's own: nothing answered, or not in time. */
export type LocalCode = 'connection_failed' | 'timed_out' | 'unreadable_answer';

/** What is wrong, for programs. The API may add codes: for one that you do not know, use `status`. */
export type PaymentsErrorCode = ErrorCode | LocalCode;

interface About {
  readonly code: PaymentsErrorCode;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly errors?: readonly ErrorDetail[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** A call that failed: the API refused it, or did not answer. */
export class PaymentsError<Code extends PaymentsErrorCode = PaymentsErrorCode> extends Error {
  override readonly name = 'PaymentsError';
  readonly code: Code;
  /** The HTTP status; undefined when nothing answered. */
  readonly status: number | undefined;
  /** Quote it when you ask about the call. */
  readonly requestId: string | undefined;
  /** What is wrong with each field, or at each provider. */
  readonly errors: readonly ErrorDetail[];
  /** Seconds after which to try again, where the API says so. */
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

/** Whether something that was thrown is a failed call with one of these codes; with any, if none is named. */
export const isPaymentsError = <Code extends PaymentsErrorCode = PaymentsErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is PaymentsError<Code> =>
  error instanceof PaymentsError &&
  (codes.length === 0 || (codes as readonly PaymentsErrorCode[]).includes(error.code));

import { DAY, MINUTE, type Millis, nextRetry, SECOND } from '#shared/platform/kernel/time.ts';

/** A provider rejected a request. The message is ours, for the business: the provider's own text may repeat customer data. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
}
/** A provider rejected the caller's data. It would reject the same request again. This is no failure of the provider. */
export class InputError extends ProviderError {
  readonly input: 'amount' | 'customer';

  constructor(message: string, input: InputError['input']) {
    super(message);
    this.input = input;
  }
}
/**
 * A provider rejects us and not the caller's data, for example because of our credentials, or because it has not enabled this kind of account for us.
 * It would reject every caller, so this is a failure of the provider.
 */
export class ProviderAccountError extends ProviderError {}
/**
 * All references of an attempt are used at the provider, and it returns no payable account under any of them. No payer will see an account of
 * this attempt.
 */
export class NoReferenceLeft extends ProviderError {
  constructor() {
    super('Every reference of this payment is used at the provider.');
  }
}
/** A provider gave no answer, or an unreadable one. It may have done what we asked. */
export class OutcomeUnknown extends Error {
  override readonly name: string = 'OutcomeUnknown';
}
/** A provider accepted the request and completes it later, for example after it has validated the customer. This is no failure. */
export class OutcomePending extends OutcomeUnknown {
  override readonly name = 'OutcomePending';
}
/** A provider was not reached, or was not called, for example because its breaker is open or it is not enabled. It did nothing. */
export class ProviderUnavailable extends Error {
  override readonly name: string = 'ProviderUnavailable';
}
/**
 * A provider takes no more requests right now: it limits us, or the business has used up its quota there. It did nothing. This is no outage,
 * so it is no ProviderUnavailable.
 */
export class ProviderBusy extends Error {
  override readonly name = 'ProviderBusy';
  /** Milliseconds until the next request may be sent. */
  readonly waitMs: number;

  constructor(message: string, waitMs: number) {
    super(message);
    this.waitMs = waitMs;
  }

  /** `waitMs` in whole seconds, rounded up. */
  get retryAfterSeconds(): number {
    return Math.max(1, Math.ceil(this.waitMs / SECOND));
  }
}

/** Returns the provider. @throws ProviderUnavailable if it is undefined, because the stage has not enabled it. */
export const requireProvider = <P>(provider: P | undefined): P => {
  if (provider === undefined) throw new ProviderUnavailable('The stage has not enabled this provider.');
  return provider;
};

/** A report would have been recorded for an owner at another provider or in test mode. This is a bug of the caller. */
export class ForeignReport extends Error {
  override readonly name = 'ForeignReport';
}
/** The owner of reported money was not found while the money was recorded. Nothing is written, and the report is tried again. */
export class OwnerNotFound extends Error {
  override readonly name = 'OwnerNotFound';
}

/** Whether the provider certainly did nothing: it is unavailable or busy. */
export const didNothing = (error: unknown): error is ProviderUnavailable | ProviderBusy =>
  error instanceof ProviderUnavailable || error instanceof ProviderBusy;

/** Whether the provider gave no usable answer or was not called. A rejection is an answer. */
export const isUnanswered = (error: unknown): error is OutcomeUnknown | ProviderUnavailable | ProviderBusy =>
  error instanceof OutcomeUnknown || didNothing(error);

/** Whether an error results from a provider's answer or missing answer. Any other error is our own bug, and due work must not hide it. */
export const isProviderError = (error: unknown): boolean => isUnanswered(error) || error instanceof ProviderError;

/**
 * Whether a provider failed. A busy provider did not: too many requests must not look like an outage. A pending outcome and a rejection that
 * the caller may have caused are no failures either.
 */
export const isProviderFailure = (error: unknown): boolean =>
  error instanceof ProviderUnavailable ||
  error instanceof ProviderAccountError ||
  (error instanceof OutcomeUnknown && !(error instanceof OutcomePending));

/** Longest delay, in milliseconds, for a provider that is down, or that may not show the result of our request yet. */
const LONGEST_RETRY_DELAY = 30 * MINUTE;
/** Longest delay, in milliseconds, after the provider rejected the request. The same request is seldom accepted later. */
const LONGEST_RETRY_DELAY_AFTER_ERROR = DAY;

/**
 * Computes when to ask a provider again. The delay grows with the time since `since` and is at least `shortest` (all milliseconds). `failure` is
 * the error of the last call; undefined if the provider answered. A busy provider is not asked before its limit ends.
 */
export const nextProviderRetry = (since: Millis, now: Millis, shortest: Millis, failure: unknown): Millis =>
  nextRetry(since, now, {
    shortest: failure instanceof ProviderBusy ? Math.max(shortest, failure.waitMs) : shortest,
    longest: failure instanceof ProviderError ? LONGEST_RETRY_DELAY_AFTER_ERROR : LONGEST_RETRY_DELAY,
  });

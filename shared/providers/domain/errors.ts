import { DAY, MINUTE, type Millis, nextRetry, SECOND } from '#shared/platform/kernel/time.ts';

/** A provider refused, in our words for the business: never the provider's own text, which may repeat customer data. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
}
/** A provider refused what the caller sent: the same request is never accepted, and nothing has failed. */
export class InputError extends ProviderError {
  readonly input: 'amount' | 'customer';

  constructor(message: string, input: InputError['input']) {
    super(message);
    this.input = input;
  }
}
/** A provider refuses us, whatever the caller sent: our credentials, or this kind of account. It opens nothing for anybody, which is a failure. */
export class ProviderAccountError extends ProviderError {}
/**
 * Each reference that a payment's account may be requested under is used, and the provider returns no account under them that can be paid into:
 * nobody will be shown one.
 */
export class NoReferenceLeft extends ProviderError {
  constructor() {
    super('Every reference of this payment is used at the provider.');
  }
}
/** A provider did not answer, or answered unreadably: whether it did what we asked is unknown. */
export class OutcomeUnknown extends Error {
  override readonly name: string = 'OutcomeUnknown';
}
/** A provider has taken the request and answers later, as where it validates the customer first. Nothing failed. */
export class OutcomePending extends OutcomeUnknown {
  override readonly name = 'OutcomePending';
}
/** A provider was not reached, or not called because it is suspended: it did nothing. */
export class ProviderUnavailable extends Error {
  override readonly name: string = 'ProviderUnavailable';
}
/**
 * A provider takes no more requests right now: it limits ours, or we ask it for no more on behalf of this business. It did nothing. That is
 * no outage, so it is no ProviderUnavailable.
 */
export class ProviderBusy extends Error {
  override readonly name = 'ProviderBusy';
  /** Milliseconds until it may be asked again. */
  readonly waitMs: number;

  constructor(message: string, waitMs: number) {
    super(message);
    this.waitMs = waitMs;
  }

  /** The same in whole seconds. */
  get retryAfterSeconds(): number {
    return Math.max(1, Math.ceil(this.waitMs / SECOND));
  }
}

/** Returns the provider. @throws ProviderUnavailable when it is undefined, because the stage has not enabled it. */
export const requireProvider = <P>(provider: P | undefined): P => {
  if (provider === undefined) throw new ProviderUnavailable('The stage has not enabled it.');
  return provider;
};

/** A report was about to be recorded on an owner at another provider or in test mode: a fault of the caller. */
export class ForeignReport extends Error {
  override readonly name = 'ForeignReport';
}
/** The owner of reported money was not found while the money was recorded: nothing is written, and the report is tried again. */
export class OwnerNotFound extends Error {
  override readonly name = 'OwnerNotFound';
}

/** Whether a provider certainly did nothing: it is away, or busy. */
export const didNothing = (error: unknown): error is ProviderUnavailable | ProviderBusy =>
  error instanceof ProviderUnavailable || error instanceof ProviderBusy;

/** Whether a provider gave no usable answer or was not called. A refusal is an answer. */
export const isUnanswered = (error: unknown): error is OutcomeUnknown | ProviderUnavailable | ProviderBusy =>
  error instanceof OutcomeUnknown || didNothing(error);

/** Whether an error is what a provider's answer, or its silence, comes to. Any other is a fault of ours, which the due time of work must not hide. */
export const isProviderError = (error: unknown): boolean => isUnanswered(error) || error instanceof ProviderError;

/**
 * Whether a provider failed. One that is busy did not: whoever asks it too often must not look like an outage. Nor did one that answers
 * later, or that refuses what may be the caller's.
 */
export const isProviderFailure = (error: unknown): boolean =>
  error instanceof ProviderUnavailable ||
  error instanceof ProviderAccountError ||
  (error instanceof OutcomeUnknown && !(error instanceof OutcomePending));

/** For a provider that is down, or that may not show its result yet. */
const LONGEST_RETRY_DELAY = 30 * MINUTE;
/** After a refusal, which is seldom withdrawn. */
const LONGEST_RETRY_DELAY_AFTER_ERROR = DAY;

/**
 * When to ask a provider again. The delay grows with the time since `since` and is at least `shortest` (all milliseconds).
 * `failure` is why the last call failed; undefined when it was answered. Not before a busy provider takes requests again.
 */
export const nextProviderRetry = (since: Millis, now: Millis, shortest: Millis, failure: unknown): Millis =>
  nextRetry(since, now, {
    shortest: failure instanceof ProviderBusy ? Math.max(shortest, failure.waitMs) : shortest,
    longest: failure instanceof ProviderError ? LONGEST_RETRY_DELAY_AFTER_ERROR : LONGEST_RETRY_DELAY,
  });

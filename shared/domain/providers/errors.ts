import { DAY, MINUTE, type Millis, nextRetry } from '#shared/domain/kernel/time.ts';

/** A provider refused, in our words for the business: never the provider's own text, which may repeat customer data. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';
}
/** A provider takes no payment of this amount. */
export class AmountRefusal extends ProviderRefusal {}
/** A provider did not answer, or answered unreadably: whether it did what we asked is unknown. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}
/** A provider was not reached, or not called because it is suspended: it did nothing. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

/** The provider. @throws ProviderUnavailable when there is none, as the stage has not enabled it. */
export const requireProvider = <P>(provider: P | undefined): P => {
  if (provider === undefined) throw new ProviderUnavailable('The stage has not enabled it.');
  return provider;
};

/** A running total is, or may be, older than what is recorded: it is looked up again. The provider is healthy. */
export class StaleReport extends Error {
  override readonly name = 'StaleReport';
}

/** Whether a failure means that the provider is down, rather than that it refused. */
export const isProviderAway = (error: unknown): error is OutcomeUnknown | ProviderUnavailable =>
  error instanceof OutcomeUnknown || error instanceof ProviderUnavailable;

/** For a provider that is down, or that may not show its result yet. */
const LONGEST_RETRY_DELAY = 30 * MINUTE;
/** After a refusal, which is seldom withdrawn. */
const LONGEST_RETRY_DELAY_AFTER_REFUSAL = DAY;

/**
 * When to ask a provider again. The delay grows with the time since `since` and is at least `shortest` (all milliseconds).
 * `failure` is why the last call failed; undefined when it was answered.
 */
export const nextProviderRetry = (since: Millis, now: Millis, shortest: Millis, failure: unknown): Millis =>
  nextRetry(since, now, {
    shortest,
    longest: failure instanceof ProviderRefusal ? LONGEST_RETRY_DELAY_AFTER_REFUSAL : LONGEST_RETRY_DELAY,
  });

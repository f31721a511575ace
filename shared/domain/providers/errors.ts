import { DAY, MINUTE, type Millis, nextRetry } from '#shared/domain/kernel/time.ts';

/** A provider said no, in words of ours for the business: never the provider's own text, which may repeat what it was given. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';
}
/** A provider takes no payment of this amount. */
export class AmountRefusal extends ProviderRefusal {}
/** A provider was silent, or answered what nobody can read: whether it did what we asked is not known. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}
/** A provider was not reached, or was not even asked because it has just been failing: it did nothing. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

/** A total may be older than what counts, or so close upon it that it might be: it is asked for again. Nothing is amiss with the provider. */
export class OutdatedAnswer extends Error {
  override readonly name = 'OutdatedAnswer';
}

/** Whether a failure says that the provider is away, rather than that it said no. */
export const isProviderAway = (error: unknown): error is OutcomeUnknown | ProviderUnavailable =>
  error instanceof OutcomeUnknown || error instanceof ProviderUnavailable;

/** The longest until a provider that is away, or may not show yet what it has done, is asked again. */
const LONGEST_RETRY_DELAY = 30 * MINUTE;
/** The same of one that said no, which seldom changes its mind. */
const LONGEST_RETRY_DELAY_AFTER_REFUSAL = DAY;

/**
 * When to ask a provider again about what it has owed since `since`: after as long as that has been, `shortest` at the least (all
 * milliseconds). `failure`: why it did not tell; undefined where it answered.
 */
export const nextProviderRetry = (since: Millis, now: Millis, shortest: Millis, failure: unknown): Millis =>
  nextRetry(since, now, {
    shortest,
    longest: failure instanceof ProviderRefusal ? LONGEST_RETRY_DELAY_AFTER_REFUSAL : LONGEST_RETRY_DELAY,
  });

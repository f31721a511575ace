/** A provider said no, in words of ours for the business: never the provider's own text, which may repeat what it was given. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';
}
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

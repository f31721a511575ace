import { DependencyUnavailable, Refusal } from '#shared/domain/kernel/errors.ts';
import type { ProviderName } from '#shared/domain/providers/provider.ts';

/** The refusal when a provider did not do what was asked: `provider_error`, or `service_unavailable` where a dependency of ours was the cause. */
export const providerFailed = (provider: ProviderName, error?: unknown): Refusal =>
  error instanceof Error && error.cause instanceof DependencyUnavailable
    ? new Refusal('service_unavailable', { retryAfterSeconds: 1 })
    : new Refusal('provider_error', { message: `${provider} could not complete the request.` });

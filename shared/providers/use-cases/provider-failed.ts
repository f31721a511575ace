import { ApiError, DependencyUnavailable } from '#shared/platform/kernel/errors.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { providerSentence } from '#shared/providers/domain/provider-sentence.ts';

/** The provider that was asked, and the mode. */
export interface ProviderContext {
  readonly provider: ProviderName;
  readonly mode: Mode;
}

/** Creates the API error after a failed request to a provider: `provider_error`, or `service_unavailable` if one of our own dependencies failed. */
export const providerFailed = ({ provider, mode }: ProviderContext, error?: unknown): ApiError =>
  error instanceof Error && error.cause instanceof DependencyUnavailable
    ? new ApiError('service_unavailable', { retryAfterSeconds: 1 })
    : new ApiError('provider_error', {
        message: providerSentence(mode, `${provider} could not complete the request.`),
      });

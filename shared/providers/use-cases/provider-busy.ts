import { ApiError } from '#shared/platform/kernel/errors.ts';
import type { ProviderBusy } from '#shared/providers/domain/errors.ts';
import { providerSentence } from '#shared/providers/domain/provider-sentence.ts';
import type { ProviderContext } from './provider-failed.ts';

/** Builds the sentence that tells people that a provider takes no more requests right now. */
export const busySentence = ({ provider, mode }: ProviderContext): string =>
  providerSentence(mode, `${provider} takes no more requests right now.`);

/** Creates the API error `provider_busy`. */
export const providerBusy = (context: ProviderContext, { retryAfterSeconds }: ProviderBusy): ApiError =>
  new ApiError('provider_busy', { message: busySentence(context), retryAfterSeconds });

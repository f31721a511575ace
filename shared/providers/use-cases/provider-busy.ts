import { ApiError } from '#shared/platform/kernel/errors.ts';
import type { ProviderBusy } from '#shared/providers/domain/errors.ts';
import { providerSentence } from '#shared/providers/domain/provider-sentence.ts';
import type { ProviderContext } from './provider-failed.ts';

/** The sentence of a provider that takes no more requests, for people. */
export const busySentence = ({ provider, mode }: ProviderContext): string =>
  providerSentence(mode, `${provider} takes no more requests right now.`);

/** The refusal `provider_busy`. */
export const providerBusy = (about: ProviderContext, { retryAfterSeconds }: ProviderBusy): ApiError =>
  new ApiError('provider_busy', { message: busySentence(about), retryAfterSeconds });

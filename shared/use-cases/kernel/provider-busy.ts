import { Refusal } from '#shared/domain/kernel/errors.ts';
import type { ProviderBusy } from '#shared/domain/providers/errors.ts';
import type { ProviderName } from '#shared/domain/providers/provider.ts';

/** The refusal `provider_busy`. */
export const providerBusy = (provider: ProviderName, { retryAfterSeconds }: ProviderBusy): Refusal =>
  new Refusal('provider_busy', { message: `${provider} takes no more requests right now.`, retryAfterSeconds });

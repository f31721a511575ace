import { Refusal } from '#shared/domain/kernel/errors.ts';
import type { ProviderBusy } from '#shared/domain/providers/errors.ts';
import type { ProviderName } from '#shared/domain/providers/provider.ts';
import type { Metrics } from '#shared/observability/metrics.ts';

/** The refusal `provider_busy`, counted: alarms on 5xx leave it out, since a merchant that is too fast is nobody's failure. */
export const providerBusy = (
  { metrics }: { readonly metrics: Metrics },
  provider: ProviderName,
  { retryAfterSeconds }: ProviderBusy,
): Refusal => {
  metrics('provider_busy', 1);
  return new Refusal('provider_busy', { message: `${provider} takes no more requests right now.`, retryAfterSeconds });
};

import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { ProviderTwin } from './common/twin/provider.ts';
import { korapayTwin } from './korapay/twin/twin.ts';
import { monnifyTwin } from './monnify/twin/twin.ts';
import { paystackTwin } from './paystack/twin/twin.ts';

/** The simulator of each provider. The local stack, `ops provider try` and tests load it, and no function does. */
export const TWINS = {
  paystack: paystackTwin,
  monnify: monnifyTwin,
  korapay: korapayTwin,
} satisfies Record<ProviderName, ProviderTwin>;

/** Makes something for each provider; returns the results by the provider's name. The casts: entries lose the types of a table. */
export const forEachTwin = <T>(make: (name: ProviderName, twin: ProviderTwin) => T): Record<ProviderName, T> =>
  Object.fromEntries(
    (Object.entries(TWINS) as [ProviderName, ProviderTwin][]).map(([name, twin]) => [name, make(name, twin)]),
  ) as Record<ProviderName, T>;

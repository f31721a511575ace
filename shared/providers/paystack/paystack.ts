import type { ProviderAccess } from '#shared/providers/common/description.ts';
import type { ProviderAdapter } from '#shared/providers/ports.ts';
import { paystackClient } from './client.ts';
import type { PaystackCredentials, PaystackSettings } from './description.ts';
import { payments } from './list-payments.ts';
import { notifications } from './notifications.ts';
import { paymentAccounts } from './payment-accounts.ts';
import { transactions } from './transactions.ts';
import { virtualAccounts } from './virtual-accounts.ts';

/**
 * Creates the adapter of Paystack (providers.md section 1). Paystack's amounts are in kobo. The methods throw ProviderError, OutcomeUnknown
 * and ProviderUnavailable.
 */
export const paystack = ({
  settings,
  credentials,
  http,
  now,
}: ProviderAccess<PaystackSettings, PaystackCredentials>): ProviderAdapter => {
  const call = paystackClient(http, credentials);
  return {
    ...virtualAccounts(call, settings),
    ...paymentAccounts(call, settings, now),
    ...notifications(credentials, settings),
    ...transactions(call, settings),
    ...payments(call),
  };
};

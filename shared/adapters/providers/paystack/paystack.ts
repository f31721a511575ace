import type { ProviderAccess } from '#shared/adapters/providers/common/description.ts';
import type { LiveProvider } from '#shared/ports/providers.ts';
import { paystackApi } from './api.ts';
import type { PaystackCredentials, PaystackSettings } from './description.ts';
import { notifications } from './notifications.ts';
import { paymentAccounts } from './payment-accounts.ts';
import { transactions } from './transactions.ts';
import { virtualAccounts } from './virtual-accounts.ts';

/** Paystack (providers.md section 1). Amounts are kobo on its side too. Every call may throw the three errors of the port. */
export const paystack = ({
  settings,
  credentials,
  http,
  now,
}: ProviderAccess<PaystackSettings, PaystackCredentials>): LiveProvider => {
  const api = paystackApi(http, credentials);
  return {
    ...virtualAccounts(api, settings),
    ...paymentAccounts(api, settings, now),
    ...notifications(credentials, settings),
    ...transactions(api, settings),
  };
};

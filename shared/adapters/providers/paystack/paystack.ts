import type { ProviderHttp } from '#shared/adapters/providers/common/http.ts';
import type { Millis } from '#shared/domain/time.ts';
import type { LiveProvider } from '#shared/ports.ts';
import { paystackApi, type ReadPaystackCredentials } from './api.ts';
import type { PaystackSettings } from './description.ts';
import { notifications } from './notifications.ts';
import { paymentAccounts } from './payment-accounts.ts';
import { standingAccounts } from './standing-accounts.ts';
import { transactions } from './transactions.ts';

export interface PaystackOptions {
  readonly settings: PaystackSettings;
  readonly credentials: ReadPaystackCredentials;
  /** Guarded and bound to Paystack's base URL; our key is added here. */
  readonly http: ProviderHttp;
  readonly now: () => Millis;
}

/** Paystack (providers.md section 1). Amounts are kobo on its side too. Every call may throw the three errors of the port. */
export const paystack = ({ settings, credentials, http, now }: PaystackOptions): LiveProvider => {
  const api = paystackApi(http, credentials);
  return {
    ...standingAccounts(api, settings),
    ...paymentAccounts(api, settings, now),
    ...notifications(credentials, settings),
    ...transactions(api, settings),
  };
};

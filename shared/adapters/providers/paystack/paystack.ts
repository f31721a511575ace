import type { ProviderHttp } from '#shared/adapters/providers/common/http.ts';
import { koboOfNaira } from '#shared/adapters/providers/common/money.ts';
import type { SettingsOf } from '#shared/domain/provider-settings.ts';
import type { Millis } from '#shared/domain/time.ts';
import type { LiveProvider } from '#shared/ports.ts';
import { paystackApi, type ReadPaystackCredentials } from './api.ts';
import { notifications } from './notifications.ts';
import { paymentAccounts } from './payment-accounts.ts';
import { standingAccounts } from './standing-accounts.ts';
import { transactions } from './transactions.ts';

export interface PaystackOptions {
  readonly settings: SettingsOf<'paystack'>;
  readonly credentials: ReadPaystackCredentials;
  /** Guarded and bound to Paystack's base URL; our key is added here. */
  readonly http: ProviderHttp;
  readonly now: () => Millis;
}

/** ₦50 and more (providers.md 1.3). */
const TAKES = { least: koboOfNaira(50) };

/** Paystack (providers.md section 1). Amounts are kobo on its side too. Every call may throw the three errors of the port. */
export const paystack = ({ settings, credentials, http, now }: PaystackOptions): LiveProvider => {
  const api = paystackApi(http, credentials);
  return {
    takes: TAKES,
    ...standingAccounts(api, settings),
    ...paymentAccounts(api, settings, now),
    ...notifications(credentials, settings),
    ...transactions(api, settings),
  };
};

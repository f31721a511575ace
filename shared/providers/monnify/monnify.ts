import type { ProviderAccess } from '#shared/providers/common/description.ts';
import type { ProviderAdapter } from '#shared/providers/ports.ts';
import { monnifyClient } from './client.ts';
import type { MonnifyCredentials, MonnifySettings } from './description.ts';
import { listPayments } from './list-payments.ts';
import { notifications } from './notifications.ts';
import { paymentAccounts } from './payment-accounts.ts';
import { toReport } from './report.ts';
import { reservedAccounts } from './reserved-accounts.ts';
import { queryTransaction } from './transaction.ts';

/** Creates the adapter of Monnify (providers.md section 2). Its methods throw ProviderError, OutcomeUnknown and ProviderUnavailable. */
export const monnify = (deps: ProviderAccess<MonnifySettings, MonnifyCredentials>): ProviderAdapter => {
  const { settings, now } = deps;
  const call = monnifyClient(deps);
  return {
    ...reservedAccounts(call, settings),
    ...paymentAccounts(call, settings, now),
    ...notifications(settings, deps),
    lookUp: async (query) => {
      const transaction = await queryTransaction(call, query);
      return transaction === 'unknown' ? transaction : toReport(transaction, settings);
    },
    listPayments: listPayments(call, settings),
  };
};

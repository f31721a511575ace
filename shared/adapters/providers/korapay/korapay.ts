import type { ProviderAccess } from '#shared/adapters/providers/common/description.ts';
import { refused } from '#shared/adapters/providers/common/refusals.ts';
import { MINUTE } from '#shared/domain/kernel/time.ts';
import type { LiveProvider } from '#shared/ports/providers.ts';
import { askKorapay, readAs } from './call.ts';
import { charge, chargePath } from './charge.ts';
import type { KorapayCredentials, KorapaySettings } from './description.ts';
import { noticeOf } from './notice.ts';
import { payInsOf } from './pay-ins.ts';
import { paymentAccounts } from './payment-accounts.ts';
import { isNotFound, reasonOf } from './refusal.ts';
import { reportOf } from './report.ts';
import { isFromKorapay, SIGNATURE_HEADER } from './signature.ts';
import { virtualAccounts } from './virtual-accounts.ts';

/** Korapay as a provider of accounts (providers.md section 3); its base URL holds `/merchant/api/v1`. Its methods throw ProviderRefusal, OutcomeUnknown and ProviderUnavailable. */
export const korapay = ({
  settings,
  credentials,
  http,
  now,
}: ProviderAccess<KorapaySettings, KorapayCredentials>): LiveProvider => {
  const ask = askKorapay(http, credentials);
  const accounts = virtualAccounts(ask, settings.bank);
  return {
    createAccount: accounts.create,
    findAccount: (_customer, reference) => accounts.find(reference),
    // Korapay closes an account by e-mail to its support only (providers.md section 3.2).
    closeAccount: async () => {},
    createPaymentAccount: paymentAccounts(ask, settings.usualAccountMinutes * MINUTE, now),

    authenticate: async (headers, raw) => {
      const signature = headers[SIGNATURE_HEADER];
      if (signature === undefined) return false;
      const { secretKey, previousSecretKey } = await credentials();
      return isFromKorapay(signature, raw, [
        secretKey,
        ...(previousSecretKey === undefined ? [] : [previousSecretKey]),
      ]);
    },
    read: noticeOf,

    lookUp: async (query) => {
      const answer = await ask({ method: 'GET', path: chargePath(query.value) });
      if (answer.done)
        return reportOf(readAs(charge, answer.data), query, { now: now(), zonelessDates: settings.zonelessDates });
      if (isNotFound(answer)) return 'unknown';
      throw refused(reasonOf(answer));
    },
    listPayments: payInsOf(ask),
  };
};

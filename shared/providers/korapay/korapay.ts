import { MINUTE } from '#shared/platform/kernel/time.ts';
import type { AccessWithNotificationUrl } from '#shared/providers/common/description.ts';
import { parseAnswer } from '#shared/providers/common/parse-answer.ts';
import { findInAnySpelling, type PaymentFinder } from '#shared/providers/common/spelling.ts';
import type { ProviderAdapter } from '#shared/providers/ports.ts';
import { type Charge, charge, chargePath } from './charge.ts';
import { korapayClient } from './client.ts';
import type { KorapayCredentials, KorapaySettings } from './description.ts';
import { isNotFound, toProviderError } from './error-reply.ts';
import { classifyReferences } from './fields.ts';
import { listPayments } from './list-payments.ts';
import { identifyingBytes, readContent } from './notifications.ts';
import { paymentAccounts } from './payment-accounts.ts';
import { toReport } from './report.ts';
import { isFromKorapay, SIGNATURE_HEADER } from './signature.ts';
import { virtualAccounts } from './virtual-accounts.ts';

/**
 * Creates the adapter of Korapay (providers.md section 3). The base URL ends with `/merchant/api/v1`. The methods throw ProviderError,
 * OutcomeUnknown and ProviderUnavailable.
 */
export const korapay = ({
  settings,
  credentials,
  http,
  now,
  notificationUrl,
}: AccessWithNotificationUrl<KorapaySettings, KorapayCredentials>): ProviderAdapter => {
  const call = korapayClient(http, credentials);
  const accounts = virtualAccounts(call, settings.bank);
  const finder: PaymentFinder<Charge> = {
    find: async ({ value }) => {
      const answer = await call({ method: 'GET', path: chargePath(value) });
      if (answer.ok) return parseAnswer(charge, answer.data);
      if (isNotFound(answer)) return 'unknown';
      throw toProviderError(answer);
    },
    readId: (payment) => classifyReferences(payment).korapays,
    readReference: (payment) => classifyReferences(payment).ours,
  };
  return {
    createAccount: accounts.create,
    findAccount: (_customer, reference) => accounts.find(reference),
    // Korapay has no call that closes accounts. Its support does it on request by e-mail (providers.md section 3.2).
    closeAccount: async () => {},
    createPaymentAccount: paymentAccounts(call, {
      usualLife: settings.usualAccountMinutes * MINUTE,
      notificationUrl,
      now,
    }),

    authenticate: async (headers, raw) => {
      const signature = headers[SIGNATURE_HEADER];
      if (signature === undefined) return false;
      const { secretKey, previousSecretKey } = await credentials();
      return isFromKorapay(signature, raw, [
        secretKey,
        ...(previousSecretKey === undefined ? [] : [previousSecretKey]),
      ]);
    },
    signedPart: identifyingBytes,
    read: readContent,

    lookUp: async (query) => {
      const foundPayment = await findInAnySpelling(finder, query);
      if (foundPayment === 'unknown') return foundPayment;
      return toReport(foundPayment, query, { now: now(), zonelessDates: settings.zonelessDates });
    },
    listPayments: listPayments(call),
  };
};

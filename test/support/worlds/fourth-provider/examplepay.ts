import * as z from 'zod/mini';
import { nonEmptyString } from '#shared/platform/kernel/schemas.ts';
import type { ReadCredentials } from '#shared/providers/common/description.ts';
import type { ProviderHttp } from '#shared/providers/common/http.ts';
import { ProviderUnavailable } from '#shared/providers/domain/errors.ts';
import { makeContent } from '#shared/providers/domain/notification-content.ts';
import type { ProviderAdapter } from '#shared/providers/ports.ts';

const opened = z.object({ number: nonEmptyString, bank: nonEmptyString });

interface ExamplepayNeeds {
  readonly settings: { readonly beneficiary: string };
  readonly credentials: ReadCredentials<{ secretWord: string }>;
  readonly http: ProviderHttp;
}

/** The adapter of a fourth provider that can only open virtual accounts. */
export const examplepay = ({ settings, credentials, http }: ExamplepayNeeds): ProviderAdapter => ({
  createAccount: async ({ name }, reference) => {
    const headers = { authorization: `Bearer ${(await credentials()).secretWord}` };
    const body = { reference, name, beneficiary: settings.beneficiary };
    const { number, bank } = opened.parse((await http({ method: 'POST', path: '/accounts', headers, body })).json);
    return { accountNumber: number, accountName: name, bankName: bank, bankCode: null, providerId: null };
  },
  findAccount: async () => undefined,
  closeAccount: async () => {},
  createPaymentAccount: async () => {
    throw new ProviderUnavailable('It opens no payment accounts.');
  },
  authenticate: async () => false,
  signedPart: (raw) => raw,
  read: () => makeContent(),
  lookUp: async () => 'unknown',
  listPayments: async () => ({ payments: [], next: null }),
});

import type { Simulator } from '#infra/local/simulator/simulator.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { SIMULATORS } from '#shared/providers/simulators.ts';

/** The simulator's base URLs of the providers, and its credentials. */
export type SimulatedProviders = Pick<Simulator, 'baseUrls' | 'credentials'>;

const post = async (url: string, authorization: string, body: object = {}): Promise<Record<string, unknown>> => {
  const headers = { authorization, 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The charge was not opened: ${answer.status} ${text}`);
  const { data, responseBody } = JSON.parse(text);
  return data ?? responseBody;
};

const PAYER = { name: 'Mallory Bello', email: 'mallory.bello@example.com' };

const OPEN: Record<ProviderName, (at: SimulatedProviders, reference: string, naira: number) => Promise<unknown>> = {
  paystack: async ({ baseUrls, credentials }, reference, naira) => {
    const charge = { email: PAYER.email, amount: naira * 100, currency: 'NGN', reference, bank_transfer: {} };
    const created = await post(`${baseUrls.paystack}/charge`, `Bearer ${credentials.paystack.secretKey}`, charge);
    return created.account_number;
  },
  monnify: async ({ baseUrls: { monnify }, credentials }, reference, naira) => {
    const { apiKey, secretKey } = credentials.monnify;
    const basic = `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`;
    const authorization = `Bearer ${(await post(`${monnify}/api/v1/auth/login`, basic)).accessToken}`;
    const { transactionReference } = await post(
      `${monnify}/api/v1/merchant/transactions/init-transaction`,
      authorization,
      {
        amount: naira,
        customerName: PAYER.name,
        customerEmail: PAYER.email,
        paymentReference: reference,
        paymentDescription: 'Airtime',
        currencyCode: 'NGN',
        ...SIMULATORS.monnify.settings,
        paymentMethods: ['ACCOUNT_TRANSFER'],
      },
    );
    const second = `${monnify}/api/v1/merchant/bank-transfer/init-payment`;
    return (await post(second, authorization, { transactionReference })).accountNumber;
  },
  korapay: async ({ baseUrls, credentials }, reference, naira) => {
    const charge = { reference, amount: naira, currency: 'NGN', customer: PAYER, merchant_bears_cost: true };
    const url = `${baseUrls.korapay}/charges/bank-transfer`;
    const created = await post(url, `Bearer ${credentials.korapay.secretKey}`, charge);
    return (created.bank_account as { account_number: string }).account_number;
  },
};

/**
 * Opens a charge directly at a provider, with any reference and any amount, as a page in a payer's browser does with the provider's
 * public key. The simulator takes the secret key instead.
 * @returns the account number of the charge.
 */
export const openPayersCharge = async (
  at: SimulatedProviders,
  provider: ProviderName,
  { reference, naira }: { readonly reference: string; readonly naira: number },
): Promise<string> => String(await OPEN[provider](at, reference, naira));

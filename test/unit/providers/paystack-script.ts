import { createHmac } from 'node:crypto';
import type { ProviderAnswer, ProviderHttp, ProviderRequest } from '#shared/providers/common/http.ts';
import type { PaystackSettings } from '#shared/providers/paystack/description.ts';
import { paystack } from '#shared/providers/paystack/paystack.ts';
import { NOON } from '#test/unit/api/examples.ts';

/* Runs Paystack's adapter with scripted answers. */

export const SECRET = 'sk_test_example';
export const DOMAIN = 'accounts.naijapay.example';

/** Builds a success in Paystack's envelope. */
export const success = (data: unknown, meta?: unknown): ProviderAnswer => ({
  status: 200,
  json: { status: true, message: 'Retrieved', data, ...(meta !== undefined && { meta }) },
});

/** Builds an error in Paystack's envelope. */
export const failure = (status: number, message: string, detail: object = {}): ProviderAnswer => ({
  status,
  json: { status: false, message, ...detail },
});

/** Describes the error that a call must throw. The message must be exactly ours, without any text of Paystack's. */
export const expectedError = (sentence: string) => ({ name: 'ProviderError', message: sentence });
export const unknownOutcome = expect.objectContaining({ name: 'OutcomeUnknown' });

/** Makes a `scriptAdapter` for another domain of customers' e-mail addresses, or with other settings. */
export const scriptAdapterFor =
  (customerEmailDomain: string, settings: Partial<PaystackSettings> = {}) =>
  (answers: readonly (ProviderAnswer | Error)[], keys: readonly string[] = [SECRET]) => {
    const requests: ProviderRequest[] = [];
    const reads: boolean[] = [];
    const http: ProviderHttp = async (request) => {
      const answer = answers[requests.push(request) - 1];
      if (answer === undefined) throw new Error(`No answer is left for ${request.method} ${request.path}.`);
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const provider = paystack({
      settings: {
        baseUrl: 'https://api.paystack.co',
        bank: 'titan-paystack',
        customerEmailDomain,
        validatesCustomers: false,
        ...settings,
      },
      credentials: async (options) => {
        reads.push(options?.refresh === true);
        return {
          secretKey: keys[Math.min(reads.length, keys.length) - 1] ?? SECRET,
          previousSecretKey: 'sk_test_before',
        };
      },
      http,
      now: () => NOON,
    });
    const calls = () => requests.map(({ method, path }) => `${method} ${path}`);
    return { provider, requests, reads, calls };
  };

/** Creates the adapter with scripted answers, and records its requests. `keys`: the secret keys in the order of reading; the last repeats. */
export const scriptAdapter = scriptAdapterFor(DOMAIN);

export const bytes = (text: string): Uint8Array => Buffer.from(text);
export const signBody = (secret: string, raw: Uint8Array): string =>
  createHmac('sha512', secret).update(raw).digest('hex');

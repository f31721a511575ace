import { createHmac } from 'node:crypto';
import type { ProviderAnswer, ProviderHttp, ProviderRequest } from '#shared/adapters/providers/common/http.ts';
import { paystack } from '#shared/adapters/providers/paystack/paystack.ts';
import { NOON } from '#test/unit/http/examples.ts';

/* Paystack played from a script: answers in their order, and the requests that they were given to. */

export const SECRET = 'sk_test_example';
export const DOMAIN = 'accounts.naijapay.example';

/** A yes in Paystack's envelope. */
export const yes = (data: unknown, meta?: unknown): ProviderAnswer => ({
  status: 200,
  json: { status: true, message: 'Retrieved', data, ...(meta !== undefined && { meta }) },
});

/** A no in Paystack's envelope. */
export const no = (status: number, message: string, of: object = {}): ProviderAnswer => ({
  status,
  json: { status: false, message, ...of },
});

/** An error that a call must throw: its class and its whole text, which holds nothing of Paystack's. */
export const refusal = (sentence: string) => ({ name: 'ProviderRefusal', message: sentence });
export const unknownOutcome = expect.objectContaining({ name: 'OutcomeUnknown' });

/** The adapter over a script. `keys` are the credentials in the order in which they are read; the last one stays. */
export const played = (answers: readonly (ProviderAnswer | Error)[], keys: readonly string[] = [SECRET]) => {
  const requests: ProviderRequest[] = [];
  const reads: boolean[] = [];
  const http: ProviderHttp = async (request) => {
    const answer = answers[requests.push(request) - 1];
    if (answer === undefined) throw new Error(`No answer is left for ${request.method} ${request.path}.`);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const provider = paystack({
    settings: { baseUrl: 'https://api.paystack.co', bank: 'titan-paystack', customerEmailDomain: DOMAIN },
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

export const bytes = (text: string): Uint8Array => Buffer.from(text);
export const signedWith = (secret: string, raw: Uint8Array): string =>
  createHmac('sha512', secret).update(raw).digest('hex');

import type { ReadCredentials } from '#shared/adapters/providers/common/description.ts';
import type { ProviderHttp, ProviderRequest } from '#shared/adapters/providers/common/http.ts';
import { refused } from '#shared/adapters/providers/common/refusals.ts';
import type { PaystackCredentials } from './description.ts';
import { isKeyRefused, type Reply, replyOf } from './reply.ts';

/** Reads what proves to Paystack who we are. */
export type ReadPaystackCredentials = ReadCredentials<PaystackCredentials>;

/** One authenticated call to Paystack. */
export type PaystackApi = (request: Omit<ProviderRequest, 'headers'>) => Promise<Reply>;

/**
 * Calls Paystack with our secret key. A refused key is read again and tried once more, for it may just have been replaced;
 * Paystack did nothing in between. Throws the refusal `credentials` when it is refused again, and what the client throws.
 */
export const paystackApi = (http: ProviderHttp, credentials: ReadPaystackCredentials): PaystackApi => {
  const callWith = async (request: Omit<ProviderRequest, 'headers'>, secretKey: string): Promise<Reply> =>
    replyOf(await http({ ...request, headers: { authorization: `Bearer ${secretKey}` } }));
  const isRefused = (reply: Reply): boolean => !reply.ok && isKeyRefused(reply);

  return async (request) => {
    const reply = await callWith(request, (await credentials()).secretKey);
    if (!isRefused(reply)) return reply;
    const second = await callWith(request, (await credentials({ refresh: true })).secretKey);
    if (isRefused(second)) throw refused('credentials');
    return second;
  };
};

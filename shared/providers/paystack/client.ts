import type { ReadCredentials } from '#shared/providers/common/description.ts';
import { createProviderError } from '#shared/providers/common/error-texts.ts';
import type { ProviderHttp, ProviderRequest } from '#shared/providers/common/http.ts';
import type { PaystackCredentials } from './description.ts';
import { isKeyRefused, parseReply, type Reply } from './reply.ts';

/** Reads Paystack's secret key. */
export type ReadPaystackCredentials = ReadCredentials<PaystackCredentials>;

/** One authenticated call to Paystack. */
export type PaystackCall = (request: Omit<ProviderRequest, 'headers'>) => Promise<Reply>;

/**
 * Calls Paystack with our secret key. If the key is refused, reads it again and tries once more, since it may just have been rotated; to a
 * call with a refused key Paystack does nothing. Throws the refusal `credentials` when it is refused twice, and what `http` throws.
 */
export const paystackClient = (http: ProviderHttp, credentials: ReadPaystackCredentials): PaystackCall => {
  const callWith = async (request: Omit<ProviderRequest, 'headers'>, secretKey: string): Promise<Reply> =>
    parseReply(await http({ ...request, headers: { authorization: `Bearer ${secretKey}` } }));
  const isRefused = (reply: Reply): boolean => !reply.ok && isKeyRefused(reply);

  return async (request) => {
    const reply = await callWith(request, (await credentials()).secretKey);
    if (!isRefused(reply)) return reply;
    const second = await callWith(request, (await credentials({ refresh: true })).secretKey);
    if (isRefused(second)) throw createProviderError('credentials');
    return second;
  };
};

import type { ReadCredentials } from '#shared/providers/common/description.ts';
import { createProviderError } from '#shared/providers/common/error-texts.ts';
import type { ProviderHttp, ProviderRequest } from '#shared/providers/common/http.ts';
import type { PaystackCredentials } from './description.ts';
import { isKeyRejected, parseReply, type Reply } from './reply.ts';

/** Reads Paystack's secret key. */
export type ReadPaystackCredentials = ReadCredentials<PaystackCredentials>;

/** Makes an authenticated call to Paystack. */
export type PaystackCall = (request: Omit<ProviderRequest, 'headers'>) => Promise<Reply>;

/**
 * Creates the client of Paystack. If the key is rejected, it is read again and the call is sent once more: the key may just have been rotated,
 * and Paystack does nothing for a rejected key. The calls throw the ProviderError `credentials` after a second rejection, and the errors of
 * `http`.
 */
export const paystackClient = (http: ProviderHttp, credentials: ReadPaystackCredentials): PaystackCall => {
  const callWith = async (request: Omit<ProviderRequest, 'headers'>, secretKey: string): Promise<Reply> =>
    parseReply(await http({ ...request, headers: { authorization: `Bearer ${secretKey}` } }));
  const isRejected = (reply: Reply): boolean => !reply.ok && isKeyRejected(reply);

  return async (request) => {
    const reply = await callWith(request, (await credentials()).secretKey);
    if (!isRejected(reply)) return reply;
    const second = await callWith(request, (await credentials({ refresh: true })).secretKey);
    if (isRejected(second)) throw createProviderError('credentials');
    return second;
  };
};

import { createProviderError } from '#shared/providers/common/error-texts.ts';
import type { ProviderAnswer, ProviderRequest } from '#shared/providers/common/http.ts';
import { parseReply, type Reply } from './envelope.ts';
import { type Access, session } from './session.ts';

/** Makes an authenticated call to Monnify. */
export type MonnifyCall = (request: Omit<ProviderRequest, 'headers'>) => Promise<Reply>;

const UNAUTHORIZED = 401;

/**
 * Creates the client of Monnify, which sends an access token with each call. If Monnify answers 401, it has done nothing, whatever the body of
 * the answer. The token is dropped, and the call is sent once more with a new token (providers.md section 2.1). The calls throw the
 * ProviderError `credentials`, and the errors of `http` and `parseReply`.
 */
export const monnifyClient = (access: Access): MonnifyCall => {
  const { token, drop } = session(access);

  const send = async (request: Omit<ProviderRequest, 'headers'>): Promise<ProviderAnswer> => {
    const accessToken = await token(request.until);
    const answer = await access.http({ ...request, headers: { authorization: `Bearer ${accessToken}` } });
    if (answer.status === UNAUTHORIZED) drop(accessToken);
    return answer;
  };

  return async (request) => {
    const first = await send(request);
    const answer = first.status === UNAUTHORIZED ? await send(request) : first;
    if (answer.status === UNAUTHORIZED) throw createProviderError('credentials');
    return parseReply(answer);
  };
};

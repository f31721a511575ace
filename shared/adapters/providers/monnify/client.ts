import type { ProviderAnswer, ProviderRequest } from '#shared/adapters/providers/common/http.ts';
import { refused } from '#shared/adapters/providers/common/refusals.ts';
import { type Outcome, outcomeOf } from './envelope.ts';
import { type Access, session } from './session.ts';

/** A call of Monnify's API; the token is put on it here. */
export type MonnifyCall = (request: Omit<ProviderRequest, 'headers'>) => Promise<Outcome>;

const UNAUTHORIZED = 401;

/**
 * Calls Monnify under a token. A 401 means that nothing was done, whatever its body: the token is dropped and the call sent once
 * more (providers.md section 2.1). Throws the refusal `credentials`, and what `http` and `outcomeOf` throw.
 */
export const monnifyClient = (access: Access): MonnifyCall => {
  const { token, drop } = session(access);

  const send = async (request: Omit<ProviderRequest, 'headers'>): Promise<ProviderAnswer> => {
    const bearer = await token();
    const answer = await access.http({ ...request, headers: { authorization: `Bearer ${bearer}` } });
    if (answer.status === UNAUTHORIZED) drop(bearer);
    return answer;
  };

  return async (request) => {
    const first = await send(request);
    const answer = first.status === UNAUTHORIZED ? await send(request) : first;
    if (answer.status === UNAUTHORIZED) throw refused('credentials');
    return outcomeOf(answer);
  };
};

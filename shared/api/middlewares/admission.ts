import { setHeaders } from '#shared/api/http/answer.ts';
import { rateLimitHeaders } from '#shared/api/http/rate-limit-headers.ts';
import type { Admission, ApiDeps, ApiEvent, ApiMiddleware, ChainRequest } from '#shared/api/http/types.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';

/** Finds out who calls. It returns an error within the admission instead of throwing it, so that the log and the headers have the key. */
export type Admit = (event: ApiEvent) => Promise<Admission>;

/**
 * Adds the rate-limit headers. Anybody can copy a public key from a web page, so a caller with a public key sees only the count of its own address,
 * not the count of the key.
 */
const addRateHeaders = (request: ChainRequest, now: number): void => {
  const { key, used = [] } = request.context.api.admission ?? {};
  const visible = used.filter(({ rateLimit }) => key?.kind === 'secret' || rateLimit.name === 'address');
  setHeaders(request, rateLimitHeaders(visible, now));
};
/**
 * Makes the shared middleware for authentication, whitelist and rate limit: it runs `admit`, and throws the error that `admit` returns. A
 * refused request keeps its admission, because the log names the key and the answer shows the rate limits. The middleware stands before the
 * error table, because it adds headers to the table's answers.
 */
export const admission = <C extends Contract>({ now }: Pick<ApiDeps, 'now'>, admit: Admit): ApiMiddleware<C> => ({
  before: async ({ event, context: { api } }) => {
    api.admission = await admit(event);
    if (api.admission.error) throw api.admission.error;
  },
  after: (request) => addRateHeaders(request, now()),
  onError: (request) => addRateHeaders(request, now()),
});

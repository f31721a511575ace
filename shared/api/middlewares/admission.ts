import { setHeaders } from '#shared/api/http/answer.ts';
import { rateLimitHeaders } from '#shared/api/http/rate-limit-headers.ts';
import type { Admission, ApiDeps, ApiEvent, ApiMiddleware, StackRequest } from '#shared/api/http/types.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';

/** Finds out who calls. Returns a refusal in the admission, instead of throwing it, so that the log and the answer's headers have the key. */
export type Admit = (event: ApiEvent) => Promise<Admission>;

/** Shows what is left of the rate limits. A public key stands in pages for anybody to copy, so its caller sees the address's count, never the merchant's traffic. */
const addRateHeaders = (request: StackRequest, now: number): void => {
  const { key, used = [] } = request.context.api.admission ?? {};
  const visible = used.filter(({ rateLimit }) => key?.kind === 'secret' || rateLimit.name === 'address');
  setHeaders(request, rateLimitHeaders(visible, now));
};

/**
 * The shared middleware for authentication, whitelist and rate limit: runs `admit`, and throws its refusal. A refused request keeps its
 * admission, because the log names the key and the answer shows the rate limit. Put it before the error table: it adds headers to the
 * answers that the table makes.
 */
export const admission = <C extends Contract>({ now }: Pick<ApiDeps, 'now'>, admit: Admit): ApiMiddleware<C> => ({
  before: async ({ event, context: { api } }) => {
    api.admission = await admit(event);
    if (api.admission.error) throw api.admission.error;
  },
  after: (request) => addRateHeaders(request, now()),
  onError: (request) => addRateHeaders(request, now()),
});

import type { Contract } from '#shared/contract/kernel/contract.ts';
import { setHeaders } from '#shared/http/kernel/answer.ts';
import { rateLimitHeaders } from '#shared/http/kernel/rate-limit-headers.ts';
import type { Admission, ApiDeps, ApiEvent, ApiMiddleware, StackRequest } from '#shared/http/kernel/types.ts';

/** Finds out who calls, and refuses whoever may not. */
export type Admit = (event: ApiEvent) => Promise<Admission>;

/** Shows what is left of the allowances. A public key stands in pages for anybody to copy, so its caller sees the address's count, never the merchant's traffic. */
const addRateHeaders = (request: StackRequest, now: number): void => {
  const { key, used = [] } = request.context.api.admission ?? {};
  const shown = used.filter(({ allowance }) => key?.kind === 'secret' || allowance.name === 'address');
  setHeaders(request, rateLimitHeaders(shown, now));
};

/**
 * The shared middleware for authentication, whitelist and rate limit. A refused request keeps its admission, because the log names the key
 * that was refused and the answer shows the rate limit. It stands before the error table, whose answers it adds headers to.
 */
export const admission = <C extends Contract>({ now }: Pick<ApiDeps, 'now'>, admit: Admit): ApiMiddleware<C> => ({
  before: async ({ event, context: { api } }) => {
    api.admission = await admit(event);
    if (api.admission.refusal) throw api.admission.refusal;
  },
  after: (request) => addRateHeaders(request, now()),
  onError: (request) => addRateHeaders(request, now()),
});

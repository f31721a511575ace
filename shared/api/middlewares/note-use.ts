import type { ApiDeps, ApiMiddleware } from '#shared/api/http/types.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';

/** Notes that an admitted key is used, beside the work. A failure is only logged: the next hour of the key is noted again. */
export const noteUse = <C extends Contract>({
  keyUses,
  log,
  now,
}: Pick<ApiDeps, 'keyUses' | 'log' | 'now'>): ApiMiddleware<C> => ({
  before: ({ context: { api } }) => {
    const { key } = api.admission ?? {};
    if (key)
      api.noted = keyUses.note(key.id, now()).catch((error) => log('key_use_not_noted', { keyId: key.id }, error));
  },
  // A container may be frozen once it has answered.
  after: ({ context: { api } }) => api.noted,
  onError: ({ context: { api } }) => api.noted,
});

import type { ApiDeps, ApiMiddleware } from '#shared/api/http/types.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';

/** Notes the use of an admitted key, beside the work. A failure is only logged, because the key's next hour is noted again. */
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
  // Lambda may freeze a container after its answer, so the note must have ended.
  after: ({ context: { api } }) => api.noted,
  onError: ({ context: { api } }) => api.noted,
});

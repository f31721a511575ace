import type { ApiDeps, ApiMiddleware } from '#shared/api/http/types.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';

/**
 * Notes the use of an admitted key, while the work runs. Each container writes the use of a key once an hour. If that fails, the failure is only
 * logged. The container then writes again at the first request with this key in the next hour.
 */
export const noteUse = <C extends Contract>({
  keyUses,
  log,
  now,
}: Pick<ApiDeps, 'keyUses' | 'log' | 'now'>): ApiMiddleware<C> => ({
  before: ({ context: { api } }) => {
    const { key } = api.admission ?? {};
    if (key)
      api.keyUseNote = keyUses.note(key.id, now()).catch((error) => log('key_use_not_noted', { keyId: key.id }, error));
  },
  // Lambda may freeze a container after its answer, so the note must have ended.
  after: ({ context: { api } }) => api.keyUseNote,
  onError: ({ context: { api } }) => api.keyUseNote,
});

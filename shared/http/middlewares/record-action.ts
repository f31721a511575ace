import type { Contract } from '#shared/contract/kernel/contract.ts';
import type { ApiDeps, ApiMiddleware } from '#shared/http/kernel/types.ts';

/** Records what a member is about to change, before the work, so that no change is without its record. */
export const recordAction = <C extends Contract>(
  { method, summary, isRecorded }: C,
  deps: Pick<ApiDeps, 'audit' | 'newId' | 'now'>,
): ApiMiddleware<C> => ({
  before: async ({ context: { api } }) => {
    const { author, caller, input } = api;
    if (method === 'GET' || isRecorded || !author || !caller) return;
    const target = Object.values(input?.params ?? {})
      .map(String)
      .join(' ');
    const at = deps.now();
    await deps.audit.add({
      ...author,
      id: deps.newId('log'),
      businessId: caller.businessId,
      at,
      what: summary,
      target,
    });
  },
});

import type { Contract } from '#shared/contract/kernel/contract.ts';
import type { ApiDeps, ApiMiddleware, RequestState } from '#shared/http/kernel/types.ts';

/** A field of a request as it was sent, which is as people read it: naira, and a time with its zone. */
const said = (name: string, sent: RequestState['json'] = {}): string[] => {
  const value = sent[name];
  return value === undefined || value === null ? [] : [`${name}: ${JSON.stringify(value)}.`];
};

/**
 * Records what a member asks for, before the work, so that no change is without its record: what is refused then is recorded as well.
 */
export const recordAction = <C extends Contract>(
  { method, summary, isRecorded, recordedFields }: C,
  deps: Pick<ApiDeps, 'audit' | 'newId' | 'now'>,
): ApiMiddleware<C> => ({
  before: async ({ context: { api } }) => {
    const { author, caller, input, json } = api;
    if (method === 'GET' || isRecorded || !author || !caller) return;
    const target = Object.values(input?.params ?? {})
      .map(String)
      .join(' ');
    const at = deps.now();
    const asked = recordedFields?.flatMap((name) => said(name, json)) ?? [];
    const what = [`asked: ${summary}`, ...asked].join(' ');
    await deps.audit.add({
      ...author,
      id: deps.newId('log'),
      businessId: caller.businessId,
      at,
      what,
      target,
    });
  },
});

import type { Contract } from '#shared/contract/kernel/contract.ts';
import type { Business } from '#shared/domain/businesses/business.ts';
import { ensureMayChange } from '#shared/domain/businesses/members.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import type { ApiDeps, ApiMiddleware, RequestState } from '#shared/http/kernel/types.ts';

/** A field of a request as it was sent, which is as people read it: naira, and a time with its zone. */
const said = (name: string, sent: RequestState['json'] = {}): string[] => {
  const value = sent[name];
  return value === undefined || value === null ? [] : [`${name}: ${JSON.stringify(value)}.`];
};

/** How often a record is decided anew, after other changes of the business; then the request is told to come again. */
const MAX_CONFLICTS = 10;

/**
 * Records what a member asks for, before the work, so that no change is without its record: what is refused then is recorded as well. The
 * record is written on condition of the business that admits its author, so nothing of a member is begun after the member's removal.
 * @throws the refusals forbidden_role, business_suspended; service_unavailable when concurrent changes outlast every attempt.
 */
export const recordAction = <C extends Contract>(
  { method, summary, isRecorded, recordedFields }: C,
  deps: Pick<ApiDeps, 'audit' | 'members' | 'newId' | 'now'>,
): ApiMiddleware<C> => ({
  before: async ({ context: { api } }) => {
    const { author, input, json } = api;
    if (method === 'GET' || isRecorded || !author || !api.business) return;
    const { id: businessId } = api.business;
    const target = Object.values(input?.params ?? {})
      .map(String)
      .join(' ');
    const asked = recordedFields?.flatMap((name) => said(name, json)) ?? [];
    const what = [`asked: ${summary}`, ...asked].join(' ');
    const entry = { ...author, id: deps.newId('log'), businessId, at: deps.now(), what, target };
    let business: Business | undefined = api.business;
    for (let conflicts = 0; business && conflicts < MAX_CONFLICTS; conflicts += 1) {
      ensureMayChange(business, author);
      if (await deps.audit.add(entry, business)) return;
      business = await deps.members.find(businessId);
    }
    throw new Refusal('service_unavailable', { retryAfterSeconds: 1 });
  },
});

import type { ApiDeps, ApiMiddleware, RequestState } from '#shared/api/http/types.ts';
import type { Business } from '#shared/businesses/domain/business.ts';
import type { MemberChange } from '#shared/businesses/domain/member-change.ts';
import { ensureMayChange } from '#shared/businesses/domain/members.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';
import { refusalAnswer } from '#shared/platform/contract/errors.ts';
import { Refusal } from '#shared/platform/kernel/errors.ts';

/** A field of a request as it was sent, which is as people read it: naira, and a time with its zone. */
const said = (name: string, sent: RequestState['json'] = {}): string[] => {
  const value = sent[name];
  return value === undefined || value === null ? [] : [`${name}: ${JSON.stringify(value)}.`];
};

/** Whether nothing was done for an error. After any other one something may have been. */
const isRefused = (error: unknown): boolean => error instanceof Refusal && refusalAnswer(error.code).status < 500;

/** A failure is only logged: what was asked for is an entry a minute later, whatever became of it. */
const close = async (
  { audit, log }: Pick<ApiDeps, 'audit' | 'log'>,
  asked: MemberChange | undefined,
  outcome: 'done' | 'refused',
): Promise<void> => {
  if (!asked) return;
  try {
    await audit.close(asked, outcome);
  } catch (error) {
    log('work_failed', { kind: 'audit' }, error);
  }
};

/** How often a record is decided anew, after other changes of the business; then the request is told to come again. */
const MAX_CONFLICTS = 10;

/**
 * Records what a member asks for, before the work, so that no change is without its record. What is refused is forgotten again: nothing was
 * done, and whoever repeats it fills no log. The record is written on condition of the business that admits its author, so nothing of a
 * member is begun after the member's removal.
 * @throws the refusals forbidden_role, business_suspended; service_unavailable when concurrent changes outlast every attempt.
 */
export const recordAction = <C extends Contract>(
  { method, summary, isRecorded, recordedFields }: C,
  deps: Pick<ApiDeps, 'audit' | 'log' | 'members' | 'newId' | 'now'>,
): ApiMiddleware<C> => ({
  before: async ({ context: { api } }) => {
    const { input, json, admission: { author, business: admittedTo } = {} } = api;
    if (method === 'GET' || isRecorded || !author || !admittedTo) return;
    const { id: businessId } = admittedTo;
    const target = Object.values(input?.params ?? {})
      .map(String)
      .join(' ');
    const asked = recordedFields?.flatMap((name) => said(name, json)) ?? [];
    const what = [`asked: ${summary}`, ...asked].join(' ');
    const entry = { ...author, id: deps.newId('log'), businessId, at: deps.now(), what, target };
    let business: Business | undefined = admittedTo;
    for (let conflicts = 0; business && conflicts < MAX_CONFLICTS; conflicts += 1) {
      ensureMayChange(business, author);
      if (await deps.audit.open(entry, business)) {
        api.asked = entry;
        return;
      }
      business = await deps.members.find(businessId);
    }
    throw new Refusal('service_unavailable', { retryAfterSeconds: 1 });
  },
  after: ({ context: { api } }) => close(deps, api.asked, 'done'),
  onError: ({ context: { api }, error }) => close(deps, api.asked, isRefused(error) ? 'refused' : 'done'),
});

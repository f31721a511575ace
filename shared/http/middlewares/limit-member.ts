import { KeyRefusal } from '#shared/domain/kernel/errors.ts';
import { isOver, secondsLeft } from '#shared/domain/requests/rate-limit.ts';
import type { ApiDeps, ApiMiddleware } from '#shared/http/kernel/types.ts';

/** Requests a second of a member: a screen makes a few at once. */
const MEMBER_QUOTA = 50;

/** Counts a member's requests, apart from those of the business's keys. @throws KeyRefusal rate_limited. */
export const limitMember = (deps: Pick<ApiDeps, 'countRequest' | 'now'>): ApiMiddleware => ({
  before: async ({ context: { api } }) => {
    const { caller } = api;
    if (!caller) throw new Error('The member was not admitted.');
    const allowance = { name: 'member', bucket: caller.actor.id, quota: MEMBER_QUOTA } as const;
    const used = await deps.countRequest(allowance, deps.now());
    if (isOver(used)) throw new KeyRefusal('rate_limited', { retryAfterSeconds: secondsLeft(deps.now()) });
  },
});

import { Refusal } from '#shared/domain/kernel/errors.ts';
import { MINUTE, type Millis, SECOND } from '#shared/domain/kernel/time.ts';

/** What a person or a script starts at an endpoint by hand: one more POST (a test event, a redelivery), or a recovery. */
export type ByHand = 'send' | 'recovery';

/** Milliseconds. Fixed windows: at worst twice the allowance passes within a minute that spans two of them. */
export const ALLOWANCE_WINDOW: Millis = MINUTE;

/**
 * How often an endpoint takes each in a window (decision 20). Sends: as many as the first step of a drain releases in a minute, so that
 * a script repairs a thousand lost events in 17 minutes. Recoveries: one takes up to 10,000 deliveries and 20 s.
 */
export const ALLOWANCES: Readonly<Record<ByHand, number>> = { send: 60, recovery: 10 };

const WORDS: Readonly<Record<ByHand, string>> = { send: 'test events and redeliveries', recovery: 'recoveries' };

/** The window of a moment. */
export const allowanceWindow = (now: Millis): number => Math.floor(now / ALLOWANCE_WINDOW);

/** The refusal of what is beyond an endpoint's allowance: 429, until the next window begins. */
export const beyondAllowance = (kind: ByHand, endpointIds: readonly string[], now: Millis): Refusal => {
  const retryAfterSeconds = Math.ceil((ALLOWANCE_WINDOW - (now % ALLOWANCE_WINDOW)) / SECOND);
  const message = `A webhook endpoint takes at most ${ALLOWANCES[kind]} ${WORDS[kind]} a minute. Try again in ${retryAfterSeconds} s.`;
  const errors = endpointIds.map((id) => ({ field: 'endpoint_id', message: `${id} has had its allowance.` }));
  return new Refusal('rate_limited', { message, retryAfterSeconds, errors });
};

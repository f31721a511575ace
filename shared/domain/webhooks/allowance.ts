import { Refusal } from '#shared/domain/kernel/errors.ts';
import { MINUTE, type Millis, SECOND } from '#shared/domain/kernel/time.ts';

/**
 * What a person or a script starts by hand. At an endpoint: one more POST (a test event, a redelivery), a recovery, a delivery of it. Of a
 * business: a URL that it gives to an endpoint, which is looked up at name servers that anybody may run.
 */
export type ByHand = 'send' | 'recovery' | 'recovered_delivery' | 'url';

/** Milliseconds. Fixed windows: at worst twice the allowance passes within a minute that spans two of them. */
export const ALLOWANCE_WINDOW: Millis = MINUTE;

/**
 * How often each is taken in a window (decision 20). Sends: as many as the first step of a drain releases in a minute, so that a script
 * repairs a thousand lost events in 17 minutes. Recoveries: each reads lists. Deliveries in recoveries: a drain releases at most 6,000 a
 * minute, so it never waits for them. URLs: all ten endpoints at once.
 */
export const ALLOWANCES: Readonly<Record<ByHand, number>> = {
  send: 60,
  recovery: 10,
  recovered_delivery: 10_000,
  url: 10,
};

const endpointTakes = (what: string): string => `A webhook endpoint takes at most ${what} a minute.`;
const SENTENCES: Readonly<Record<ByHand, string>> = {
  send: endpointTakes('60 test events and redeliveries'),
  recovery: endpointTakes('10 recoveries'),
  recovered_delivery: endpointTakes('10,000 deliveries in recoveries'),
  url: 'A business gives webhook endpoints at most 10 URLs a minute.',
};

/**
 * A recovery that has not ended by then has crashed, and the next one may begin. Milliseconds; longer than the function that recovers
 * may run (its `timeoutSeconds`).
 */
export const RECOVERY_LEASE: Millis = 30 * SECOND;

/** The window of a moment. */
export const allowanceWindow = (now: Millis): number => Math.floor(now / ALLOWANCE_WINDOW);

/** The refusal of what is beyond the allowance of endpoints, or of a business: 429, until the next window begins. */
export const beyondAllowance = (kind: ByHand, ids: readonly string[], now: Millis): Refusal => {
  const retryAfterSeconds = Math.ceil((ALLOWANCE_WINDOW - (now % ALLOWANCE_WINDOW)) / SECOND);
  const message = `${SENTENCES[kind]} Try again in ${retryAfterSeconds} s.`;
  const field = kind === 'url' ? 'url' : 'endpoint_id';
  const errors = ids.map((id) => ({ field, message: `${id} has had its allowance.` }));
  return new Refusal('rate_limited', { message, retryAfterSeconds, errors });
};

/** The refusal of a recovery while another one of the same endpoint is under way: 429, until that one has ended at the latest. */
export const recoveryUnderWay = (endpointId: string): Refusal => {
  const retryAfterSeconds = RECOVERY_LEASE / SECOND;
  const message = `A recovery of this webhook endpoint is under way. Try again in ${retryAfterSeconds} s.`;
  const errors = [{ field: 'id', message: `${endpointId} is being recovered.` }];
  return new Refusal('rate_limited', { message, retryAfterSeconds, errors });
};

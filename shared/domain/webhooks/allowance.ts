import { Refusal } from '#shared/domain/kernel/errors.ts';
import { MINUTE, type Millis, SECOND } from '#shared/domain/kernel/time.ts';

/**
 * What a business causes by hand. For an endpoint: a `send` (a test event or a redelivery), a `recovery`, a delivery within a recovery.
 * For the business itself: a `url` of an endpoint, whose host is looked up at name servers that anybody may run.
 */
export type ByHand = 'send' | 'recovery' | 'recovered_delivery' | 'url' | 'page_simulation';

/** Milliseconds. Fixed windows: at worst twice the allowance passes within a minute that spans two of them. */
export const ALLOWANCE_WINDOW: Millis = MINUTE;

/**
 * How many of each a window allows (0020-allowance-of-sends-by-hand.md). Sends: as many as the first step of a drain releases, so that a script sends a thousand
 * lost events again in 17 minutes. Recoveries: few, as each reads lists. Deliveries in recoveries: more than the 6,000 a minute that a
 * drain releases at most. URLs: one for each of a business's ten endpoints.
 */
export const ALLOWANCES: Readonly<Record<ByHand, number>> = {
  send: 60,
  recovery: 10,
  recovered_delivery: 10_000,
  url: 10,
  page_simulation: 120,
};

const endpointTakes = (what: string): string => `A webhook endpoint takes at most ${what} a minute.`;
const SENTENCES: Readonly<Record<ByHand, string>> = {
  send: endpointTakes('60 test events and redeliveries'),
  recovery: endpointTakes('10 recoveries'),
  recovered_delivery: endpointTakes('10,000 deliveries in recoveries'),
  url: 'A business gives webhook endpoints at most 10 URLs a minute.',
  page_simulation: 'The payment pages of a business simulate at most 120 payments a minute.',
};

/**
 * A recovery that has not ended after this has crashed, and the next one may begin. Longer than its function may run (`timeoutSeconds`).
 * Milliseconds.
 */
export const RECOVERY_LEASE: Millis = 30 * SECOND;

/** The number of the window that a time is in. */
export const allowanceWindow = (now: Millis): number => Math.floor(now / ALLOWANCE_WINDOW);

/** The refusal when the allowance of endpoints (`ids`), or of a business, is used up: 429, until the next window begins. */
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

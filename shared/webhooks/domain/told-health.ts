import * as z from 'zod/mini';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { boolean, millis, millisOrNull, text, textOrNull } from '#shared/platform/kernel/schemas.ts';
import { HOUR, type Millis } from '#shared/platform/kernel/time.ts';

/* What the owners of a business are told of a live endpoint that fails, each once in an outage. */

/** What an endpoint answered: its status, or why there is none. Never a body, which may hold what is nobody's business. */
export const lastAnswer = z.object({ statusCode: z.nullable(z.int()), error: textOrNull });
export type LastAnswer = z.infer<typeof lastAnswer>;

/** What the owners were told of an endpoint so far, with what the next mail needs. It stands in the endpoint's breaker. */
export const notifiedHealth = z.object({
  businessId: idSchema('biz'),
  /** Where its URL leads (`hostOf`). */
  host: text,
  answer: lastAnswer,
  /** Whether they know that it is suspended, and that it failed for an hour. */
  suspended: boolean,
  failing: boolean,
  /** The last mail. */
  at: millisOrNull,
  /** Since when the endpoint has accepted nothing that they were told of: a recovery that brings nothing begins the breaker's outage anew. */
  since: millisOrNull,
});
export type NotifiedHealth = z.infer<typeof notifiedHealth>;

/** What owners are mailed of an endpoint. `disabled` is told with the write that switches it off. */
export const endpointNews = z.object({
  news: z.enum(['failing', 'suspended', 'disabled', 'recovered']),
  endpointId: idSchema('whe'),
  host: text,
  answer: lastAnswer,
  at: millis,
  /** Since when nothing was delivered; null once something was. */
  since: millisOrNull,
  /** Why it was switched off. */
  reason: textOrNull,
});
export type EndpointNews = z.infer<typeof endpointNews>;

/** An endpoint that failed for so long is told of. Milliseconds. */
const FAILS_FOR: Millis = HOUR;
/**
 * After the last mail of an outage the next outage is told of this much later, if it lasts until then. So an endpoint that fails and recovers
 * all day long has its owners mailed twelve times a day, of six outages, and never more than eighteen times. Milliseconds.
 */
const TOLD_AGAIN_AFTER: Millis = 4 * HOUR;

/** A breaker, as far as it says how its endpoint is doing. */
interface BreakerHealth {
  readonly state: 'closed' | 'open' | 'draining';
  readonly outage: { readonly since: Millis } | null;
}

/** Since when an endpoint has accepted nothing; null where it fails no more. */
const since = ({ outage }: BreakerHealth, told: NotifiedHealth): Millis | null =>
  outage && (told.since ?? outage.since);

/** Whether an endpoint accepted something. */
const isAccepted = ({ statusCode }: LastAnswer): boolean =>
  statusCode !== null && statusCode >= 200 && statusCode < 300;

/** What is told after a change of a breaker, and what is told then in all; undefined where nothing is. */
const nextNews = (
  seen: BreakerHealth,
  told: NotifiedHealth,
  now: Millis,
): [EndpointNews['news'], NotifiedHealth] | undefined => {
  const { state, outage } = seen;
  const failsSince = since(seen, told);
  const isTold = told.suspended || told.failing;
  if (isTold && state === 'closed' && outage === null) {
    return ['recovered', { ...told, suspended: false, failing: false, at: now, since: null }];
  }
  const isTooSoon = !isTold && told.at !== null && now - told.at < TOLD_AGAIN_AFTER;
  if (isTooSoon) return undefined;
  const known = { ...told, at: now, since: failsSince };
  if (!told.failing && failsSince !== null && now - failsSince >= FAILS_FOR) {
    return ['failing', { ...known, suspended: told.suspended || state === 'open', failing: true }];
  }
  if (!told.suspended && state === 'open') return ['suspended', { ...known, suspended: true }];
  return undefined;
};

/**
 * What owners are told after a change of the breaker of a live endpoint, and the breaker that remembers it. `attempt`: the endpoint and what it
 * answered, where an attempt made the change. Owners hear that it recovered only if they heard that it failed, and once what was parked is sent.
 */
export const withNews = <
  B extends BreakerHealth & { readonly endpointId: string; readonly told: NotifiedHealth | null },
>(
  breaker: B,
  now: Millis,
  attempt?: Pick<NotifiedHealth, 'businessId' | 'host' | 'answer'>,
): { readonly breaker: B; readonly news?: EndpointNews & Pick<NotifiedHealth, 'businessId'> } => {
  const before =
    breaker.told ?? (attempt ? { ...attempt, suspended: false, failing: false, at: null, since: null } : null);
  if (!before) return { breaker };
  const told = { ...before, ...attempt, ...(attempt && isAccepted(attempt.answer) && { since: null }) };
  const next = nextNews(breaker, told, now);
  if (!next) return breaker.told ? { breaker: { ...breaker, told } } : { breaker };
  const [news, after] = next;
  const { businessId, host, answer } = after;
  return {
    breaker: { ...breaker, told: after },
    news: {
      news,
      businessId,
      endpointId: breaker.endpointId,
      host,
      answer,
      at: now,
      since: since(breaker, told),
      reason: null,
    },
  };
};

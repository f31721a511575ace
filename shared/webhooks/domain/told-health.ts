import * as z from 'zod/mini';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { boolean, millis, millisOrNull, text, textOrNull } from '#shared/platform/kernel/schemas.ts';
import { HOUR, type Millis } from '#shared/platform/kernel/time.ts';

/* Decides when the owners of a business get a mail about a live endpoint that fails. Each kind of mail is sent at most once in an outage. */

/** The last answer of an endpoint: its status, or the reason why no answer came. It never contains a body, which may be confidential. */
export const lastAnswer = z.object({ statusCode: z.nullable(z.int()), error: textOrNull });
export type LastAnswer = z.infer<typeof lastAnswer>;

/** The health that owners were mailed about, and the data of the next mail. It is stored in the endpoint's breaker. */
export const notifiedHealth = z.object({
  businessId: idSchema('biz'),
  /** The host of the endpoint's URL. */
  host: text,
  answer: lastAnswer,
  /** Whether owners know that the endpoint is suspended: they got that mail, or it was suspended when they were mailed that it failed for an hour. */
  suspended: boolean,
  /** Whether owners were mailed that the endpoint failed for an hour. */
  failing: boolean,
  /** The time of the last mail. */
  at: millisOrNull,
  /**
   * The start of the failure that owners were mailed about. It is kept here, because the start of a drain clears the breaker's outage, even if
   * the drain then delivers nothing.
   */
  since: millisOrNull,
});
export type NotifiedHealth = z.infer<typeof notifiedHealth>;

/** The content of a mail about an endpoint. A `disabled` mail is written together with the change that switches the endpoint off. */
export const endpointNews = z.object({
  news: z.enum(['failing', 'suspended', 'disabled', 'recovered']),
  endpointId: idSchema('whe'),
  host: text,
  answer: lastAnswer,
  at: millis,
  /** The time since which nothing was delivered; null in a mail that the endpoint was switched off or works again. */
  since: millisOrNull,
  /** The reason for switching the endpoint off; null in other mails. */
  reason: textOrNull,
});
export type EndpointNews = z.infer<typeof endpointNews>;

/** Owners get a mail about an endpoint that has failed for this long. Milliseconds. */
const FAILS_FOR: Millis = HOUR;
/**
 * The shortest time between the last mail about one outage and the first mail about the next outage. If the next outage ends earlier, no mail is
 * sent about it. So if an endpoint fails and recovers all day, owners get mails about six outages a day, usually two about each, and at most
 * three. Milliseconds.
 */
const TOLD_AGAIN_AFTER: Millis = 4 * HOUR;

/** The parts of a breaker that say how its endpoint is doing. */
interface BreakerHealth {
  readonly state: 'closed' | 'open' | 'draining';
  readonly outage: { readonly since: Millis } | null;
}

/** Returns the time since which an endpoint has accepted nothing; null if it does not fail any more. */
const findFailingSince = ({ outage }: BreakerHealth, told: NotifiedHealth): Millis | null =>
  outage && (told.since ?? outage.since);

/** Whether the endpoint accepted the webhook. */
const isAccepted = ({ statusCode }: LastAnswer): boolean =>
  statusCode !== null && statusCode >= 200 && statusCode < 300;

/** Chooses the mail that owners get after a change of a breaker, and returns it with the new notified health; undefined if none is due. */
const nextNews = (
  seen: BreakerHealth,
  told: NotifiedHealth,
  now: Millis,
): [EndpointNews['news'], NotifiedHealth] | undefined => {
  const { state, outage } = seen;
  const failsSince = findFailingSince(seen, told);
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
 * Returns the breaker of a live endpoint with its notified health brought up to date, and the mail that owners get, if any. `attempt`: the
 * endpoint and its answer, if an attempt changed the breaker. Owners are mailed about a recovery only if they were mailed about the
 * failure, and only after the parked deliveries have been released.
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
      since: findFailingSince(breaker, told),
      reason: null,
    },
  };
};

import * as z from 'zod/mini';
import { millis, ordinal, textOrNull } from '#shared/platform/kernel/schemas.ts';
import { DAY, HOUR, MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { providerName } from '#shared/providers/domain/provider.ts';

/** `recent`: the last hour's payments, as a notification may be lost. `week`: those of seven days, as few providers report a later return. */
export const reconciliationPass = z.enum(['recent', 'week']);
export type ReconciliationPass = z.infer<typeof reconciliationPass>;

/**
 * How far our books have been compared with a provider's. Everything before `from` was compared; of the span from `from` to `to`, the
 * pages before `cursor`.
 */
export const reconciliation = z.object({
  provider: providerName,
  pass: reconciliationPass,
  from: millis,
  to: millis,
  cursor: textOrNull,
  /** The end of the last span that was compared as a whole. Absent where a release wrote the item that does not queue its work. */
  comparedUntil: z.optional(millis),
  dueAt: millis,
  version: ordinal,
});
export type Reconciliation = z.infer<typeof reconciliation>;

/** How often a pass is made, and how much it compares again each time, as a list may lag and money may be returned. Milliseconds. */
const PASSES = {
  /** A payment whose notification was lost is found within this interval. */
  recent: { every: 10 * MINUTE, overlap: HOUR },
  week: { every: DAY, overlap: 7 * DAY },
} as const;
/** After a pause, the time since the last comparison is compared in spans of at most this length, each in pages. */
const LONGEST_SPAN = 6 * HOUR;
/** Consecutive spans overlap by this, since a payment may be listed a little later than it was made. */
const SPAN_OVERLAP = HOUR;

/** The first comparison with a provider: it looks back as far as every later one. */
export const firstReconciliation = (
  provider: Reconciliation['provider'],
  pass: ReconciliationPass,
  now: Millis,
): Reconciliation => {
  const from = now - PASSES[pass].overlap;
  return { provider, pass, from, to: now, cursor: null, comparedUntil: from, dueAt: now, version: 1 };
};

/** The state with which a release that queued nothing is taken over; undefined where there is nothing to take over. */
export const takenOver = (found: Reconciliation): Reconciliation | undefined =>
  found.comparedUntil === undefined
    ? { ...found, comparedUntil: found.dueAt > found.to ? found.to : found.from, version: found.version + 1 }
    : undefined;

/** Milliseconds by which a pass is behind its time: since its last comparison of everything, more than the interval. */
export const behindTime = ({ pass, from, comparedUntil = from }: Reconciliation, now: Millis): number =>
  Math.max(0, now - comparedUntil - PASSES[pass].every);

/** The span to compare next: the one that was begun, or a new one that ends now at the latest. */
export const currentSpan = (before: Reconciliation, now: Millis): Reconciliation =>
  before.cursor !== null ? before : { ...before, to: Math.min(now, before.from + LONGEST_SPAN) };

/** The state after a list that was not answered: it is asked for again in a minute, so that alarms see it each minute. */
export const notListed = (before: Reconciliation, now: Millis): Reconciliation => ({
  ...before,
  dueAt: now + MINUTE,
  version: before.version + 1,
});

/** After a page was compared: the next page or, after the last one (`next` is null), the next span. It is due now where it follows at once. */
export const pageCompared = (span: Reconciliation, next: string | null, now: Millis): Reconciliation => {
  const version = span.version + 1;
  if (next !== null) return { ...span, cursor: next, dueAt: now, version };
  const { every, overlap } = PASSES[span.pass];
  const isCaughtUp = now - span.to < every;
  return {
    ...span,
    from: Math.max(isCaughtUp ? 0 : span.from, span.to - (isCaughtUp ? overlap : SPAN_OVERLAP)),
    cursor: null,
    comparedUntil: Math.max(span.to, span.comparedUntil ?? span.from),
    dueAt: isCaughtUp ? now + every : now,
    version,
  };
};

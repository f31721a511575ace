import * as z from 'zod/mini';
import { count, millis, ordinal, textOrNull } from '#shared/platform/kernel/schemas.ts';
import { DAY, HOUR, MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { providerName } from '#shared/providers/domain/provider.ts';

/** `recent`: the last hour's payments, as a notification may be lost. `week`: those of seven days, as few providers report a later return. */
export const reconciliationPass = z.enum(['recent', 'week']);
export type ReconciliationPass = z.infer<typeof reconciliationPass>;

/**
 * How far our books have been compared with a provider's. Everything before `from` was compared; of the span from `from` to `to`, the
 * pages before `cursor` and the first `done` payments of its page.
 */
export const reconciliation = z.object({
  provider: providerName,
  pass: reconciliationPass,
  from: millis,
  to: millis,
  cursor: textOrNull,
  done: count,
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
): Reconciliation => ({
  provider,
  pass,
  from: now - PASSES[pass].overlap,
  to: now,
  cursor: null,
  done: 0,
  dueAt: now,
  version: 1,
});

const isBegun = ({ cursor, done }: Reconciliation): boolean => cursor !== null || done > 0;

/** Whether there is nothing to compare at this moment. */
export const isCurrent = (state: Reconciliation, now: Millis): boolean => !isBegun(state) && state.dueAt > now;

/** The span to compare next: the one that was begun, or a new one that ends now at the latest. */
export const currentSpan = (before: Reconciliation, now: Millis): Reconciliation =>
  isBegun(before) ? before : { ...before, to: Math.min(now, before.from + LONGEST_SPAN) };

/** The span after `more` payments of its page were compared. */
export const partCompared = (span: Reconciliation, more: number): Reconciliation => ({
  ...span,
  done: span.done + more,
  version: span.version + 1,
});

/** After a page was compared: the next page or, after the last one (`next` is null), the next span. */
export const pageCompared = (span: Reconciliation, next: string | null, now: Millis): Reconciliation => {
  const version = span.version + 1;
  if (next !== null) return { ...span, cursor: next, done: 0, version };
  const { every, overlap } = PASSES[span.pass];
  const isCaughtUp = now - span.to < every;
  return {
    ...span,
    from: Math.max(isCaughtUp ? 0 : span.from, span.to - (isCaughtUp ? overlap : SPAN_OVERLAP)),
    cursor: null,
    done: 0,
    dueAt: isCaughtUp ? now + every : now,
    version,
  };
};

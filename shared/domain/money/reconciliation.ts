import * as z from 'zod/mini';
import { count, millis, ordinal, textOrNull } from '#shared/domain/kernel/schemas.ts';
import { DAY, HOUR, MINUTE, type Millis } from '#shared/domain/kernel/time.ts';
import { providerName } from '#shared/domain/providers/provider.ts';

/** `recent`: what came in lately, for notifications that never came. `week`: what was returned later, which few providers report. */
export const reconciliationPass = z.enum(['recent', 'week']);
export type ReconciliationPass = z.infer<typeof reconciliationPass>;

/**
 * How far our books have been compared with a provider's: everything before `from`, of the span to `to` the pages before
 * `cursor`, and of that page the first `done` payments.
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

/** How often a pass is made, and how much of the past it looks at again each time: a list may lag, and money may be returned. */
const PASSES = {
  /** After so long a payment whose notification was lost is found. */
  recent: { every: 10 * MINUTE, overlap: HOUR },
  week: { every: DAY, overlap: 7 * DAY },
} as const;
/** After a pause the past is caught up with in spans of this length, each in pages. */
const LONGEST_SPAN = 6 * HOUR;
/** Two spans in a row overlap by this, since a payment may be listed a little later than it was made. */
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

/** What is compared next: the rest of a span that was begun, or one that ends now at the latest. */
export const currentSpan = (before: Reconciliation, now: Millis): Reconciliation =>
  isBegun(before) ? before : { ...before, to: Math.min(now, before.from + LONGEST_SPAN) };

/** So many more payments of the page were compared. */
export const partCompared = (span: Reconciliation, more: number): Reconciliation => ({
  ...span,
  done: span.done + more,
  version: span.version + 1,
});

/** A page of a span was compared: on to the next page or, after the last (`next` is null), to the span that follows. */
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

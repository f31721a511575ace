import * as z from 'zod';
import { providerName } from './provider.ts';
import { HOUR, MINUTE, type Millis } from './time.ts';

/** How far our books have been compared with a provider's: everything before `from`, and of the span to `to` the pages before `cursor`. */
export const reconciliation = z.object({
  provider: providerName,
  from: z.number(),
  to: z.number(),
  cursor: z.string().nullable(),
  dueAt: z.number(),
  version: z.number().int().min(1),
});
export type Reconciliation = z.infer<typeof reconciliation>;

/** A notification that got lost costs so many minutes, not money. */
const EVERY = 10 * MINUTE;
/** Looked at again each time: a provider's list may lag behind, and what was pending before may have become money. */
const OVERLAP = HOUR;
/** After a pause the past is caught up with in spans of this length, each in pages. */
const LONGEST_SPAN = 6 * HOUR;

/** The first comparison with a provider: it looks an hour back. */
export const firstReconciliation = (provider: Reconciliation['provider'], now: Millis): Reconciliation => ({
  provider,
  from: now - OVERLAP,
  to: now,
  cursor: null,
  dueAt: now,
  version: 1,
});

/** What is compared next: the rest of a span that was begun, or one that ends now at the latest. */
export const currentSpan = (before: Reconciliation, now: Millis): Reconciliation =>
  before.cursor === null ? { ...before, to: Math.min(now, before.from + LONGEST_SPAN) } : before;

/** A page of a span was compared: on to the next page or, after the last (`next` is null), to the span that follows. */
export const pageCompared = (span: Reconciliation, next: string | null, now: Millis): Reconciliation => {
  const version = span.version + 1;
  if (next !== null) return { ...span, cursor: next, version };
  const isCaughtUp = now - span.to < EVERY;
  return {
    ...span,
    from: Math.max(span.from, span.to - OVERLAP),
    cursor: null,
    dueAt: isCaughtUp ? now + EVERY : now,
    version,
  };
};

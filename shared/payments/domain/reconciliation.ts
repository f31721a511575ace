import * as z from 'zod/mini';
import { count, millis, ordinal, textOrNull } from '#shared/platform/kernel/schemas.ts';
import { DAY, HOUR, MINUTE, type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import { type ProviderName, providerName } from '#shared/providers/domain/provider.ts';

/**
 * `recent`: the last hour's payments, as a notification may be lost. `hours`: those of nine hours, of a provider that lists a payment by the
 * creation of its checkout. `week`: those of seven days, as few providers report a later return.
 */
export const reconciliationPass = z.enum(['recent', 'hours', 'week']);
export type ReconciliationPass = z.infer<typeof reconciliationPass>;

/** More lists of a provider are not compared side by side. */
export const MOST_LISTS = 32;
/** How many lists of a provider are compared side by side. */
export const listCount = z.int().check(z.gte(1), z.lte(MOST_LISTS));

/** One of the lists that a pass asks for side by side: list 0 of 1, or 0 to 3 of 4. */
export const reconciliationId = z.object({
  provider: providerName,
  pass: reconciliationPass,
  list: count,
  lists: ordinal,
});
export type ReconciliationId = z.infer<typeof reconciliationId>;

/**
 * How far our books have been compared with a provider's. Everything before `from` was compared; of the span from `from` to `to`, the
 * pages before `cursor`. A round ends at `until`; none is under way where that is `from`. These are times of the list, which may be ahead of ours.
 */
export const reconciliation = z.extend(reconciliationId, {
  from: millis,
  to: millis,
  until: millis,
  cursor: textOrNull,
  /** Everything that was paid before it was compared. Our time. */
  comparedUntil: millis,
  dueAt: millis,
  version: ordinal,
});
export type Reconciliation = z.infer<typeof reconciliation>;

/** An account may be paid eight hours after its creation, by which a provider may list it. One more, as a list may lag. Milliseconds. */
const ACCOUNT_LIFE = 9 * HOUR;
/**
 * How often a pass is made, and how much it compares again each time, as a list may lag and money may be returned. `turn`: the time of which
 * each of several lists has its share before the first one's turn comes again. Milliseconds.
 */
export const PASSES = {
  /** A payment whose notification was lost is found within this interval. */
  recent: { every: 10 * MINUTE, overlap: HOUR, turn: 5 * MINUTE },
  hours: { every: 30 * MINUTE, overlap: ACCOUNT_LIFE, turn: 15 * MINUTE },
  week: { every: DAY, overlap: 7 * DAY + ACCOUNT_LIFE, turn: 6 * HOUR },
} as const;
/** After a pause, the time since the last comparison is compared in spans of at most this length, each in pages. */
const LONGEST_SPAN = 6 * HOUR;

/** The passes that find every payment of a provider, by what its list goes by. */
export const choosePasses = (listsByCreation: boolean): readonly ReconciliationPass[] =>
  listsByCreation ? ['recent', 'hours', 'week'] : ['recent', 'week'];

/** A provider that the stage has enabled, the passes to make with it, and how many lists each has side by side. */
export interface ProviderPasses {
  readonly provider: ProviderName;
  readonly passes: readonly ReconciliationPass[];
  readonly lists: number;
}

/** Where a list begins that nothing was compared by: as far back as every later one looks, and as the lists before it have yet to look. */
const begin = (id: ReconciliationId, before: readonly Reconciliation[], now: Millis): Reconciliation => {
  const { overlap } = PASSES[id.pass];
  const isFirst = before.length === 0;
  const comparedUntil = isFirst ? now - overlap : Math.min(...before.map((list) => list.comparedUntil));
  const from = isFirst ? comparedUntil : comparedUntil - overlap;
  return { ...id, from, to: from, until: from, cursor: null, comparedUntil, dueAt: now, version: 1 };
};

/** Plans a pass of so many lists: those that nothing plans yet, and those that are planned for another number of lists, and end. */
export const planLists = (
  { provider, pass, lists }: Omit<ReconciliationId, 'list'>,
  existing: readonly Reconciliation[],
  now: Millis,
): { readonly begun: readonly Reconciliation[]; readonly ended: readonly Reconciliation[] } => {
  const [current, ended] = [true, false].map((isCurrent) =>
    existing.filter((at) => (at.lists === lists) === isCurrent),
  );
  const missing = Array.from({ length: lists }, (_, list) => list).filter(
    (list) => !current?.some((at) => at.list === list),
  );
  return { begun: missing.map((list) => begin({ provider, pass, list, lists }, existing, now)), ended: ended ?? [] };
};

/** Milliseconds by which a list is behind its time: since its last comparison of everything, more than the interval. */
export const behindTime = ({ pass, comparedUntil }: Reconciliation, now: Millis): number =>
  Math.max(0, now - comparedUntil - PASSES[pass].every);

/** Where a span ends: at the end of the round, or before the turn of the same list comes again. */
const endOfSpan = ({ pass, from, until, lists }: Reconciliation): Millis => {
  const { turn } = PASSES[pass];
  return Math.min(until, lists === 1 ? from + LONGEST_SPAN : (Math.floor(from / turn) + 1) * turn);
};

/** The span to compare next: the one that was begun, or a new one. A new round ends now, by the time of a list that may be `ahead` of ours. */
export const currentSpan = (before: Reconciliation, now: Millis, ahead: Millis): Reconciliation => {
  if (before.cursor !== null) return before;
  const state = before.from < before.until ? before : { ...before, until: now + ahead };
  return { ...state, to: endOfSpan(state) };
};

/** The part of a span that its list asks for; undefined where the span has none. Providers do not say whether a span includes its ends. */
export const listedPart = ({ pass, from, to, list, lists }: Reconciliation) => {
  const { turn } = PASSES[pass];
  const computeShareStart = (place: number): Millis =>
    Math.floor(from / turn) * turn + Math.round((place * turn) / lists);
  const part =
    lists === 1
      ? { from, to }
      : { from: Math.max(from, computeShareStart(list)), to: Math.min(to, computeShareStart(list + 1)) };
  return part.from < part.to ? { ...part, from: part.from - SECOND } : undefined;
};

/**
 * When payments were recorded that this round is the first to compare, by our time: each is compared in several rounds. What is recorded since
 * the round began waits for the next one.
 */
export const newlyComparedPeriod = ({ comparedUntil, until }: Reconciliation, ahead: Millis) => ({
  from: comparedUntil,
  to: until - ahead,
});

/** The state after a list that was not answered: it is asked for again in a minute, so that alarms see it each minute. */
export const afterFailedPage = (before: Reconciliation, now: Millis): Reconciliation => ({
  ...before,
  dueAt: now + MINUTE,
  version: before.version + 1,
});

/**
 * After a page was compared: the next page or, after the last one (`next` is null), the next span, which are due now. After the last span of
 * a round the next one looks back from where this one began, however long this one took: a row may have been listed before it was paid.
 */
export const afterPage = (span: Reconciliation, next: string | null, now: Millis, ahead: Millis): Reconciliation => {
  const version = span.version + 1;
  if (next !== null) return { ...span, cursor: next, dueAt: now, version };
  const comparedUntil = Math.max(span.to - ahead, span.comparedUntil);
  const after = { ...span, cursor: null, comparedUntil, version };
  if (span.to < span.until) return { ...after, from: span.to, dueAt: now };
  const { every, overlap } = PASSES[span.pass];
  const began = span.until - ahead;
  const from = began - overlap;
  return { ...after, from, until: from, dueAt: Math.max(now, began + every) };
};

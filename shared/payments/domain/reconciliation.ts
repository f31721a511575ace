import * as z from 'zod/mini';
import { count, millis, ordinal, textOrNull } from '#shared/platform/kernel/schemas.ts';
import { DAY, HOUR, MINUTE, type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import { type ProviderName, providerName } from '#shared/providers/domain/provider.ts';

/**
 * `recent` compares the last hour's payments, because a notification may be lost. `hours` compares nine hours, at a provider that lists a payment
 * under the creation time of its checkout. `week` compares seven days, because few providers report a later return.
 */
export const reconciliationPass = z.enum(['recent', 'hours', 'week']);
export type ReconciliationPass = z.infer<typeof reconciliationPass>;

/** Upper bound on the lists of one provider that are compared in parallel. */
export const MOST_LISTS = 32;
/** The number of lists of a provider that are compared in parallel. */
export const listCount = z.int().check(z.gte(1), z.lte(MOST_LISTS));

/** One of the parallel lists of a pass. `lists` is their number, and `list` counts them from 0. */
export const reconciliationId = z.object({
  provider: providerName,
  pass: reconciliationPass,
  list: count,
  lists: ordinal,
});
export type ReconciliationId = z.infer<typeof reconciliationId>;

/**
 * The progress of comparing our books with a provider's list. Nothing before `from` is left to compare. In the span from `from` to `to`, the list
 * pages before `cursor` were compared. A round ends at `until`; no round is under way if `until` equals `from`. `from`, `to` and `until` are times
 * of the provider's list, whose clock may be ahead of ours.
 */
export const reconciliation = z.extend(reconciliationId, {
  from: millis,
  to: millis,
  until: millis,
  cursor: textOrNull,
  /** All payments paid before this time were compared. Our time. */
  comparedUntil: millis,
  dueAt: millis,
  version: ordinal,
});
export type Reconciliation = z.infer<typeof reconciliation>;

/**
 * Milliseconds. A checkout may be paid until eight hours after its creation, and a provider may list the payment under the creation time.
 * One hour is added for a list that lags.
 */
const PAYABLE_FOR = 9 * HOUR;
/**
 * The passes, in milliseconds. `every`: the interval. `overlap`: the time that each round compares again, because a list may lag and money
 * may be returned. `turn`: the length of the periods that parallel lists divide among them.
 */
export const PASSES = {
  /** `every` is also the longest time until a payment with a lost notification is found. */
  recent: { every: 10 * MINUTE, overlap: HOUR, turn: 5 * MINUTE },
  hours: { every: 30 * MINUTE, overlap: PAYABLE_FOR, turn: 15 * MINUTE },
  week: { every: DAY, overlap: 7 * DAY + PAYABLE_FOR, turn: 6 * HOUR },
} as const;
/**
 * Milliseconds. After a pause, a single list compares the missed time in spans of at most this length. Each span is read list page by list
 * page.
 */
const LONGEST_SPAN = 6 * HOUR;

/** Chooses the passes that find every payment of a provider. `listsByCreation`: its list goes by the creation time of the checkout. */
export const choosePasses = (listsByCreation: boolean): readonly ReconciliationPass[] =>
  listsByCreation ? ['recent', 'hours', 'week'] : ['recent', 'week'];

/** An enabled provider, its passes, and the number of parallel lists of each pass. */
export interface ProviderPasses {
  readonly provider: ProviderName;
  readonly passes: readonly ReconciliationPass[];
  readonly lists: number;
}

/**
 * Creates a new list. It begins one `overlap` before now. If the pass had lists before, it begins one `overlap` before the time up to which
 * the slowest of them has compared.
 */
const createList = (id: ReconciliationId, existing: readonly Reconciliation[], now: Millis): Reconciliation => {
  const { overlap } = PASSES[id.pass];
  const isFirst = existing.length === 0;
  const comparedUntil = isFirst ? now - overlap : Math.min(...existing.map((list) => list.comparedUntil));
  const from = isFirst ? comparedUntil : comparedUntil - overlap;
  return { ...id, from, to: from, until: from, cursor: null, comparedUntil, dueAt: now, version: 1 };
};

/**
 * Plans the lists of a pass. `missing`: new lists that must be stored. `obsolete`: lists to remove, because the pass was divided among
 * another number of lists.
 */
export const planLists = (
  { provider, pass, lists }: Omit<ReconciliationId, 'list'>,
  existing: readonly Reconciliation[],
  now: Millis,
): { readonly missing: readonly Reconciliation[]; readonly obsolete: readonly Reconciliation[] } => {
  const planned = new Set(existing.filter((state) => state.lists === lists).map((state) => state.list));
  const missing = Array.from({ length: lists }, (_, list) => list).filter((list) => !planned.has(list));
  return {
    missing: missing.map((list) => createList({ provider, pass, list, lists }, existing, now)),
    obsolete: existing.filter((state) => state.lists !== lists),
  };
};

/** Computes by how many milliseconds a list is late: the time since its last complete comparison, less the interval. */
export const computeDelay = ({ pass, comparedUntil }: Reconciliation, now: Millis): number =>
  Math.max(0, now - comparedUntil - PASSES[pass].every);

/**
 * Computes the end of a span. It is the end of the round, or an earlier time: for a single list, LONGEST_SPAN after the span's start; for parallel
 * lists, the end of the period that they divide.
 */
const endOfSpan = ({ pass, from, until, lists }: Reconciliation): Millis => {
  const { turn } = PASSES[pass];
  return Math.min(until, lists === 1 ? from + LONGEST_SPAN : (Math.floor(from / turn) + 1) * turn);
};

/**
 * Finds the span to compare next. It is the stored span if only some of its list pages were compared, otherwise a new one. If the last round is
 * over, a new round begins, and covers the time until now. `ahead`: by how many milliseconds the list's time may be ahead of ours.
 */
export const currentSpan = (before: Reconciliation, now: Millis, ahead: Millis): Reconciliation => {
  if (before.cursor !== null) return before;
  const state = before.from < before.until ? before : { ...before, until: now + ahead };
  return { ...state, to: endOfSpan(state) };
};

/**
 * Computes the list's part of a span; undefined if it has none. The part starts a second early, because providers do not say whether a span
 * includes its ends.
 */
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
 * Computes a period in our time. If a payment was recorded in this period, this round is the first that compares it. Payments recorded after the
 * round began belong to the next round.
 */
export const newlyComparedPeriod = ({ comparedUntil, until }: Reconciliation, ahead: Millis) => ({
  from: comparedUntil,
  to: until - ahead,
});

/** Plans the same list page again after an error of the provider. It is due in a minute. So while the errors last, alarms see one each minute. */
export const afterFailedPage = (before: Reconciliation, now: Millis): Reconciliation => ({
  ...before,
  dueAt: now + MINUTE,
  version: before.version + 1,
});

/**
 * Plans what follows a compared list page:
 * - If the span has another list page (`next`), that page, due now.
 * - If the span is finished and the round is not, the next span, due now.
 * - If the round is finished, the next round, due one interval after this round began, or now if that time is over.
 * The next round looks back one `overlap` from the time when this round began, not from the time when it finished: a row may be listed before it is
 * paid.
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

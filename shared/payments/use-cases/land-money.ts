import { applyReport } from '#shared/payments/domain/landing/apply-report.ts';
import type { LandingOwner, LandingStatus, Posted } from '#shared/payments/domain/landing/landing.ts';
import type { RecordResult, UnmatchedStore } from '#shared/payments/ports.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import type { Metrics } from '#shared/platform/observability/metrics.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { type CommitResult, untilCommitted } from '#shared/platform/until-committed.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { Refund } from '#shared/providers/domain/refund.ts';
import {
  isReinstated,
  isReturned,
  type MoneyReport,
  type ReportedMoney,
  type ReportState,
} from '#shared/providers/domain/report.ts';
import type { LiveProviders } from '#shared/providers/ports.ts';
import { type PostDeps, post } from './post.ts';
import { postingOn } from './posting.ts';
import { type AssignedOwner, type LocatedReport, locateMoney, readLandingState } from './read-landing.ts';

export interface LandDeps extends PostDeps, Pick<Runtime, 'pause'> {
  readonly unmatched: UnmatchedStore;
  readonly liveProviders: LiveProviders;
  readonly metrics: Metrics;
}

/** The facts about the provider's answer that reported the money. */
interface Answer {
  /** The provider's state of the whole payment. */
  readonly state?: ReportState;
  /** When we began to ask for the answer. Absent if not known. */
  readonly askedAt?: Millis;
  /** A refund of this money that a notification reported, with the provider's id. The money must have landed before. */
  readonly refund?: Refund;
}

/** `stale`: nothing changed, because the report may be older than our records. */
export type LandingOutcome = LandingStatus | 'stale';

/** Writes a landing. If the owner is known, the owner's events are written with it. */
const commit = (deps: LandDeps, owner: LandingOwner | undefined, landing: Posted): Promise<RecordResult> =>
  owner ? post(deps, postingOn(owner, landing)) : deps.ledger.record(landing.entries);

/** Logs money that has just been saved as unmatched, if its provider keeps it. */
const logUnmatched = ({ log }: LandDeps, provider: ProviderName, { unmatched }: Posted['entries']): void => {
  if (!unmatched?.after || unmatched.before || isReturned(unmatched.after.money)) return;
  const { id, money } = unmatched.after;
  log(isReinstated(money) ? 'payment_reinstated' : 'payment_unmatched', { provider, payment_id: id });
};

/** Reads the state of located money, applies the report, and commits the result. */
const land = async (
  deps: LandDeps,
  locatedReport: LocatedReport,
  assigned: AssignedOwner | undefined,
): Promise<CommitResult<LandingOutcome>> => {
  const { report } = locatedReport;
  const state = await readLandingState(deps.ledger, locatedReport, assigned);
  if (state === 'conflict') return state;
  const context = {
    id: deps.newId('pay'),
    recordedAt: deps.now(),
    isReviewed: deps.liveProviders(report.provider)?.returnsSilently,
  };
  const landing = applyReport(state, report, context);
  if (landing.kind === 'stale') return { done: 'stale' };
  if (landing.kind === 'ignored') {
    if (landing.as === 'foreign') deps.metrics('foreign_reports', 1);
    return { done: landing.as };
  }
  if ((await commit(deps, state.owner, landing)) !== 'recorded') return 'conflict';
  logUnmatched(deps, report.provider, landing.entries);
  return landing.isPartial ? 'continue' : { done: landing.as };
};

/** Lands all money that a report concerns, one after the other. Returns the outcome of the last money; `landed` if the report concerns none. */
const landAll = async (
  deps: LandDeps,
  report: MoneyReport,
  assigned: AssignedOwner | undefined,
): Promise<CommitResult<LandingOutcome>> => {
  let outcome: CommitResult<LandingOutcome> = { done: 'landed' };
  for (const locatedReport of await locateMoney(deps.ledger, report)) {
    // An operator assigns the money of the report itself, not money that was reinstated later.
    outcome = await land(deps, locatedReport, locatedReport.report === report ? assigned : undefined);
    const isDone = typeof outcome === 'object';
    if (!isDone) return outcome;
  }
  return outcome;
};

/**
 * Lands money that a provider reported. All reports of money go through this function: the money is recorded once with its event, on its checkout or
 * account, or saved as unmatched. `assigned`: the owner that an operator chose.
 * @throws OwnerNotFound; ForeignReport (a last guard, because assign-payment.ts refuses such an owner); service_unavailable after 30 conflicts.
 */
export const landMoney = (
  deps: LandDeps,
  provider: ProviderName,
  money: ReportedMoney,
  { state = 'open', askedAt = 0, refund }: Answer = {},
  assigned?: AssignedOwner,
): Promise<LandingOutcome> =>
  untilCommitted(deps, () => landAll(deps, { provider, money, state, askedAt, refund }, assigned));

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

/** What is known of the provider's answer that reported the money. */
interface Answer {
  /** How the provider sees the payment as a whole. */
  readonly state?: ReportState;
  /** When we began to ask for it. Absent: not known. */
  readonly askedAt?: Millis;
  /** A refund of this money that the provider reported by itself. The money has landed before. */
  readonly refund?: Refund;
}

/** As `LandedAs` says; `stale`: nothing changed, as the report may be older than what counts. */
export type LandingOutcome = LandingStatus | 'stale';

/** Writes a landing, with its owner's events where there is an owner. */
const commit = (deps: LandDeps, owner: LandingOwner | undefined, landing: Posted): Promise<RecordResult> =>
  owner ? post(deps, postingOn(owner, landing)) : deps.ledger.record(landing.entries);

/** Logs money that is unmatched from now on and that its provider keeps. */
const logUnmatched = ({ log }: LandDeps, provider: ProviderName, { unmatched }: Posted['entries']): void => {
  if (!unmatched?.after || unmatched.before || isReturned(unmatched.after.money)) return;
  const { id, money } = unmatched.after;
  log(isReinstated(money) ? 'payment_reinstated' : 'payment_unmatched', { provider, payment_id: id });
};

/** Reads what decides about located money, applies the report to it, and commits what comes of it. */
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

/** Lands all money that a report concerns, one after the other. The outcome is that of the last; `landed` where there is none. */
const attempt = async (
  deps: LandDeps,
  report: MoneyReport,
  assigned: AssignedOwner | undefined,
): Promise<CommitResult<LandingOutcome>> => {
  let outcome: CommitResult<LandingOutcome> = { done: 'landed' };
  for (const locatedReport of await locateMoney(deps.ledger, report)) {
    // An operator means the money that the report names, not what followed its return.
    outcome = await land(deps, locatedReport, locatedReport.report === report ? assigned : undefined);
    const isDone = typeof outcome === 'object';
    if (!isDone) return outcome;
  }
  return outcome;
};

/**
 * Lands money that a provider reported. Every kind of report goes this way (architecture.md section 4): the money is recorded once, on
 * the checkout or account that it is for, with its event; or saved as unmatched. `assigned`: the owner that an operator named.
 * @throws OwnerNotFound; ForeignReport, a last guard, as assign-payment.ts refuses such an owner; service_unavailable after 30 conflicts.
 */
export const landMoney = (
  deps: LandDeps,
  provider: ProviderName,
  money: ReportedMoney,
  { state = 'open', askedAt = 0, refund }: Answer = {},
  assigned?: AssignedOwner,
): Promise<LandingOutcome> =>
  untilCommitted(deps, () => attempt(deps, { provider, money, state, askedAt, refund }, assigned));

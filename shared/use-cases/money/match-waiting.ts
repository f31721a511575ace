import { referenceOfAttempt } from '#shared/domain/checkouts/attempt-reference.ts';
import { isKeptAgain, unmatchedIdOf, wentBack } from '#shared/domain/checkouts/landing.ts';
import type { Millis } from '#shared/domain/kernel/time.ts';
import { type PaymentReport, queryOfMoney } from '#shared/domain/money/report.ts';
import type { UnmatchedPayment } from '#shared/domain/money/unmatched-payment.ts';
import type { ProviderName } from '#shared/domain/providers/provider.ts';
import type { LiveProvider, LiveProviders } from '#shared/ports/providers.ts';
import { type LandDeps, landMoney } from './land-money.ts';
import { lookUpPayment } from './look-up-payment.ts';

export interface MatchDeps extends LandDeps {
  /** Absent where only standing accounts are opened: no running total is for one. */
  readonly liveProviders?: LiveProviders;
}

/** Unmatched money is rare and alarmed; more of it than this waits for its own due time. */
const LOOKED_AT = 100;

/** What an account or a checkout can be recognised by. */
export interface NewPayee {
  readonly provider: ProviderName;
  readonly reference: string;
  /** Of a standing account only. */
  readonly accountNumber: string | null;
}

const isFor = ({ provider, money: { payee } }: UnmatchedPayment, of: NewPayee): boolean =>
  provider === of.provider &&
  (payee.by === 'our_reference'
    ? referenceOfAttempt(payee.reference) === of.reference
    : payee.accountNumber === of.accountNumber);

/** A running total of which the provider tells nothing any more is no longer there to be assigned. */
const noteUnnamed = async (
  { unmatched, now }: LandDeps,
  { provider, transferId }: UnmatchedPayment,
  { money: told }: PaymentReport,
  askedAt: Millis,
): Promise<void> => {
  if (told.some((money) => unmatchedIdOf(money) === transferId)) return;
  const kept = await unmatched.find(provider, transferId);
  if (kept?.money.kind !== 'running_total' || wentBack(kept.money)) return;
  await unmatched.keep({
    ...kept,
    money: { ...kept.money, outcome: 'reversed' },
    askedAt,
    recordedAt: now(),
    tries: 0,
  });
};

/** Asks the provider about unmatched money as it is now: it lands if its owner is known, is nobody's any more if it went back, else stays. @throws what lookUpPayment throws. */
export const askAfresh = async (
  deps: LandDeps,
  provider: LiveProvider,
  unmatched: UnmatchedPayment,
): Promise<PaymentReport | 'unknown'> => {
  const askedAt = deps.now();
  const report = await lookUpPayment(deps, unmatched.provider, provider, queryOfMoney(unmatched.money));
  if (report !== 'unknown') await noteUnnamed(deps, unmatched, report, askedAt);
  return report;
};

/**
 * Lands unmatched money if its owner is known by now. A transfer lands as it was told; a running total may have grown or fallen
 * since, and what is kept again after it went back may be older news, so that its provider is asked again.
 * @throws what the look-up throws: it stays unmatched.
 */
export const matchAgain = async (deps: MatchDeps, unmatched: UnmatchedPayment): Promise<void> => {
  const { provider: name, money, state, askedAt } = unmatched;
  if (money.kind === 'transfer' && !isKeptAgain(money)) {
    await landMoney(deps, name, money, { state, askedAt });
    return;
  }
  const provider = deps.liveProviders?.(name);
  if (provider) await askAfresh(deps, provider, unmatched);
};

/**
 * Money that arrived before its account or checkout was written lands now. It is due by itself as well, so a failure costs a
 * minute and is only logged.
 */
export const matchWaiting = async (deps: MatchDeps, payees: readonly NewPayee[]): Promise<void> => {
  try {
    const waiting = await deps.unmatched.newest(LOOKED_AT);
    const theirs = waiting.filter((unmatched) => payees.some((payee) => isFor(unmatched, payee)));
    for (const unmatched of theirs) await matchAgain(deps, unmatched);
  } catch (error) {
    deps.log('work_failed', { kind: 'unmatched' }, error);
  }
};

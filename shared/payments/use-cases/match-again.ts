import { findReportedMoney, type UnmatchedPayment } from '#shared/payments/domain/unmatched-payment.ts';
import { addKobo, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { untilCommitted } from '#shared/platform/until-committed.ts';
import { buildPaymentQuery, isReinstated, isReturned, type PaymentReport } from '#shared/providers/domain/report.ts';
import type { LiveProvider } from '#shared/providers/ports.ts';
import { type LandDeps, landMoney } from './land-money.ts';
import { lookUpPayment } from './look-up-payment.ts';

/** Saves an unmatched cumulative report as returned if the provider no longer reports it, so that nobody assigns it. */
const markVanished = async (
  deps: LandDeps,
  entry: UnmatchedPayment,
  { money: reported }: PaymentReport,
  askedAt: Millis,
): Promise<void> => {
  if (findReportedMoney(entry, reported)) return;
  await untilCommitted(deps, async () => {
    const stored = await deps.unmatched.find(entry.provider, entry.source);
    if (stored?.money.kind !== 'cumulative_report' || isReturned(stored.money)) return { done: undefined };
    if (stored.askedAt > askedAt) return { done: undefined };
    const { kept, returned } = stored.money;
    const money = { ...stored.money, kept: ZERO_KOBO, returned: addKobo(returned, kept) };
    const vanished = { ...stored, money, askedAt, recordedAt: deps.now(), tries: 0 };
    return (await deps.unmatched.save(vanished, stored)) ? { done: undefined } : 'conflict';
  });
};

/**
 * Looks up unmatched money again. It lands if its owner is known. If it was returned, operators no longer see it on their list. Otherwise it stays
 * unmatched.
 * @throws the errors of lookUpPayment.
 */
export const refreshFromProvider = async (
  deps: LandDeps,
  provider: LiveProvider,
  unmatched: UnmatchedPayment,
): Promise<PaymentReport | 'unknown' | 'stale'> => {
  const askedAt = deps.now();
  const query = buildPaymentQuery(unmatched.source, unmatched.money.providerReference);
  const report = await lookUpPayment(deps, unmatched.provider, provider, query);
  if (typeof report === 'object') await markVanished(deps, unmatched, report, askedAt);
  return report;
};

/**
 * Lands unmatched money if its owner is known now. A transfer or a rejection lands as it was reported. Two kinds are looked up first: a cumulative
 * report, because it may have changed, and a reinstated transfer, because its report may have been stale.
 * @returns `stale` if the answer may be older than our records. That does not count as a try.
 * @throws the errors of the look-up; the money stays unmatched.
 */
export const matchAgain = async (deps: LandDeps, unmatched: UnmatchedPayment): Promise<'tried' | 'stale'> => {
  const { provider: name, money, state, askedAt } = unmatched;
  if (money.kind !== 'cumulative_report' && !isReinstated(money)) {
    await landMoney(deps, name, money, { state, askedAt });
    return 'tried';
  }
  const provider = deps.liveProviders(name);
  const report = provider && (await refreshFromProvider(deps, provider, unmatched));
  return report === 'stale' ? report : 'tried';
};

import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import { type MatchWaitingDeps, matchWaiting } from '#shared/payments/use-cases/match-waiting.ts';

/** Queues money that arrived at a checkout's providers before the checkout was stored. */
export const matchEarlierMoney = async (
  deps: MatchWaitingDeps,
  { reference, mode, attempts }: Checkout,
): Promise<void> => {
  if (mode !== 'live') return;
  const payees = attempts.map(({ provider }) => ({ provider, reference, accountNumber: null }));
  await matchWaiting(deps, payees);
};

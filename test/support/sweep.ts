import { type SweepDeliveriesDeps, sweepDeliveries } from '#shared/use-cases/sweep-deliveries.ts';
import { type SweepPaymentsDeps, sweepPayments } from '#shared/use-cases/sweep-payments.ts';

/** What both scheduled functions do: everything that is due, webhooks and money. */
export const sweepDueWork = async (deps: SweepDeliveriesDeps & SweepPaymentsDeps, deadline: number): Promise<void> => {
  await Promise.all([sweepDeliveries(deps, deadline), sweepPayments(deps, deadline)]);
};

import { reconcilePage as reconcile } from '#shared/payments/use-cases/reconcile-page.ts';
import { reviewPayment as review } from '#shared/payments/use-cases/review-payment.ts';
import { doMoneyWork as doWork } from '#shared/sweeps/use-cases/do-money-work.ts';
import { sendNotices as send } from '#shared/sweeps/use-cases/send-notices.ts';
import { type SweepDeliveriesDeps, sweepDeliveries } from '#shared/sweeps/use-cases/sweep-deliveries.ts';
import { type SweepPaymentsDeps, sweepPayments as sweep } from '#shared/sweeps/use-cases/sweep-payments.ts';
import { deliverWebhook as deliver } from '#shared/webhooks/use-cases/deliver-webhook.ts';
import { redeliverEvent as redeliver } from '#shared/webhooks/use-cases/redeliver-event.ts';
import { sweepBreaker as sweepOneBreaker } from '#shared/webhooks/use-cases/sweep-breaker.ts';
import { inRole } from '#test/support/permissions/roles.ts';

/* Use cases, each restricted to the role of its function. api-client.ts has the endpoints, and handlers.ts the handlers of functions without one. */

export const deliverWebhook = inRole('deliver-webhooks', deliver);
export const redeliverEvent = inRole('redeliver-event', redeliver);
export const sweepPayments = inRole('sweep-payments', sweep);
export const doMoneyWork = inRole('do-money-work', doWork);
export const reconcilePage = inRole('do-money-work', reconcile);
export const reviewPayment = inRole('do-money-work', review);
export const sendNotices = inRole('send-notices', send);
export const sweepBreaker = inRole('sweep-deliveries', sweepOneBreaker);

const sweepDeliveriesInRole = inRole('sweep-deliveries', sweepDeliveries);

/** Does all due work of webhooks and of money, like both scheduled functions. */
export const sweepDueWork = async (deps: SweepDeliveriesDeps & SweepPaymentsDeps, deadline: number): Promise<void> => {
  await Promise.all([sweepDeliveriesInRole(deps, deadline), sweepPayments(deps, deadline)]);
};

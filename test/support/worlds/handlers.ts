import { deliverWebhooksHandler } from '#functions/deliver-webhooks/handler.ts';
import { doMoneyWorkHandler } from '#functions/do-money-work/handler.ts';
import { receiveNotificationHandler } from '#functions/receive-notification/handler.ts';
import { sweepPaymentsHandler } from '#functions/sweep-payments/handler.ts';
import { inRole } from '#test/support/permissions/roles.ts';

/*
 * The handlers of functions without an endpoint, each restricted to its function's role. They are not in functions.ts, because a handler
 * composes itself from the environment when it is imported, and the bench sets the environment later.
 */

/** Composes the consumer's handler with a test's dependencies. */
export const deliverWebhooks: typeof deliverWebhooksHandler = (...args) =>
  inRole('deliver-webhooks', deliverWebhooksHandler(...args));

/** Composes the handler of providers' notifications with a test's dependencies. */
export const receiveNotification = (deps: Parameters<typeof receiveNotificationHandler>[0]) =>
  inRole('receive-notification', receiveNotificationHandler(deps));

/** Composes the consumer of money work with a test's dependencies. */
export const doMoneyWorkFunction: typeof doMoneyWorkHandler = (deps) =>
  inRole('do-money-work', doMoneyWorkHandler(deps));

/** Composes the handler of the scheduled function for money with a test's dependencies. */
export const sweepPaymentsFunction: typeof sweepPaymentsHandler = (deps) =>
  inRole('sweep-payments', sweepPaymentsHandler(deps));

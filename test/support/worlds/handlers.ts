import { deliverWebhooksHandler } from '#functions/deliver-webhooks/handler.ts';
import { doMoneyWorkHandler } from '#functions/do-money-work/handler.ts';
import { receiveNotificationHandler } from '#functions/receive-notification/handler.ts';
import { sweepPaymentsHandler } from '#functions/sweep-payments/handler.ts';
import { inRole } from '#test/support/permissions/roles.ts';

/*
 * The handlers of functions without an endpoint, each restricted to its function's role. Apart from functions.ts: a handler composes itself
 * when it is imported, from the environment that it finds then, and the bench sets that later.
 */

/** The consumer's handler, composed with a test's dependencies. */
export const deliverWebhooks: typeof deliverWebhooksHandler = (...given) =>
  inRole('deliver-webhooks', deliverWebhooksHandler(...given));

/** The handler of providers' notifications, composed with a test's dependencies. */
export const receiveNotification = (deps: Parameters<typeof receiveNotificationHandler>[0]) =>
  inRole('receive-notification', receiveNotificationHandler(deps));

/** The consumer of money work, composed with a test's dependencies. */
export const doMoneyWorkFunction: typeof doMoneyWorkHandler = (deps) =>
  inRole('do-money-work', doMoneyWorkHandler(deps));

/** The handler of the scheduled function for money, composed with a test's dependencies. */
export const sweepPaymentsFunction: typeof sweepPaymentsHandler = (deps) =>
  inRole('sweep-payments', sweepPaymentsHandler(deps));

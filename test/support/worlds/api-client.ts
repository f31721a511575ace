import { createVirtualAccountsHandler } from '#functions/create-virtual-accounts/handler.ts';
import { getEventHandler } from '#functions/get-event/handler.ts';
import { getVirtualAccountHandler } from '#functions/get-virtual-account/handler.ts';
import { initializeCheckoutHandler } from '#functions/initialize-checkout/handler.ts';
import { listCheckoutsHandler } from '#functions/list-checkouts/handler.ts';
import { listVirtualAccountPaymentsHandler } from '#functions/list-virtual-account-payments/handler.ts';
import { listVirtualAccountsHandler } from '#functions/list-virtual-accounts/handler.ts';
import { recoverWebhookEndpointHandler } from '#functions/recover-webhook-endpoint/handler.ts';
import { redeliverEventHandler } from '#functions/redeliver-event/handler.ts';
import { simulateCheckoutPaymentHandler } from '#functions/simulate-checkout-payment/handler.ts';
import { simulateVirtualAccountPaymentHandler } from '#functions/simulate-virtual-account-payment/handler.ts';
import { testWebhookEndpointHandler } from '#functions/test-webhook-endpoint/handler.ts';
import { updateWebhookEndpointHandler } from '#functions/update-webhook-endpoint/handler.ts';
import { verifyCheckoutHandler } from '#functions/verify-checkout/handler.ts';
import {
  deleteVirtualAccountContract,
  postDeleteVirtualAccountContract,
} from '#shared/contract/virtual-accounts/delete-virtual-account.ts';
import { deactivateVirtualAccountHandler } from '#shared/http/deactivate-virtual-account.ts';
import type { ApiHandler } from '#shared/http/kernel/types.ts';
import { inRole } from '#test/support/permissions/roles.ts';
import { type ApiCall, apiEvent, lambdaContext } from './api-event.ts';
import type { World } from './world.ts';

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Record<string, string | number | boolean>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds, and fails where it does not.
  readonly json: any;
}

/** The endpoints as functions, each through its whole Middy stack, composed with a world's dependencies. */
export const apiClient = (world: World, key: string) => {
  const { deps } = world;
  const of = (name: string, handler: ApiHandler): ApiHandler => inRole(name, handler);
  const call = async (handler: ApiHandler, request: ApiCall): Promise<ApiAnswer> => {
    const headers = { authorization: `Bearer ${key}`, ...request.headers };
    const result = await handler(apiEvent({ ...request, headers }), lambdaContext());
    const text = String(result.body);
    return { status: result.statusCode ?? 0, headers: result.headers ?? {}, text, json: JSON.parse(text) };
  };
  const bound =
    (handler: ApiHandler, method: string, path: (id: string) => string, param = 'id') =>
    (id: string, body?: unknown, headers: Record<string, string> = {}, query: Record<string, string> = {}) =>
      call(handler, { method, path: path(id), params: { [param]: id }, body, headers, query });
  const unbound =
    (handler: ApiHandler, method: string, path: string) =>
    (body?: unknown, headers: Record<string, string> = {}, query: Record<string, string> = {}) =>
      call(handler, { method, path, body, headers, query });
  const base = '/api/v1';
  return {
    initialize: unbound(
      of('initialize-checkout', initializeCheckoutHandler(deps)),
      'POST',
      `${base}/checkout/initialize`,
    ),
    simulate: unbound(
      of('simulate-checkout-payment', simulateCheckoutPaymentHandler(deps)),
      'POST',
      `${base}/checkout/sandbox/simulate`,
    ),
    verify: bound(
      of('verify-checkout', verifyCheckoutHandler(deps)),
      'GET',
      (id) => `${base}/checkout/verify/${id}`,
      'reference',
    ),
    listCheckouts: unbound(of('list-checkouts', listCheckoutsHandler(deps)), 'GET', `${base}/checkouts`),
    createAccounts: unbound(
      of('create-virtual-accounts', createVirtualAccountsHandler(deps)),
      'POST',
      `${base}/virtual-accounts`,
    ),
    listAccounts: unbound(
      of('list-virtual-accounts', listVirtualAccountsHandler(deps)),
      'GET',
      `${base}/virtual-accounts`,
    ),
    getAccount: bound(
      of('get-virtual-account', getVirtualAccountHandler(deps)),
      'GET',
      (id) => `${base}/virtual-accounts/${id}`,
    ),
    listPayments: bound(
      of('list-virtual-account-payments', listVirtualAccountPaymentsHandler(deps)),
      'GET',
      (id) => `${base}/virtual-accounts/${id}/payments`,
    ),
    simulateAccount: bound(
      of('simulate-virtual-account-payment', simulateVirtualAccountPaymentHandler(deps)),
      'POST',
      (id) => `${base}/virtual-accounts/${id}/sandbox/simulate`,
    ),
    getEvent: bound(of('get-event', getEventHandler(deps)), 'GET', (id) => `${base}/events/${id}`),
    redeliver: bound(
      of('redeliver-event', redeliverEventHandler(deps)),
      'POST',
      (id) => `${base}/events/${id}/redeliver`,
    ),
    updateEndpoint: bound(
      of('update-webhook-endpoint', updateWebhookEndpointHandler(deps)),
      'PATCH',
      (id) => `${base}/webhook-endpoints/${id}`,
    ),
    testEndpoint: bound(
      of('test-webhook-endpoint', testWebhookEndpointHandler(deps)),
      'POST',
      (id) => `${base}/webhook-endpoints/${id}/test`,
    ),
    recoverEndpoint: bound(
      of('recover-webhook-endpoint', recoverWebhookEndpointHandler(deps)),
      'POST',
      (id) => `${base}/webhook-endpoints/${id}/recover`,
    ),
    deleteAccount: bound(
      of('delete-virtual-account', deactivateVirtualAccountHandler(deleteVirtualAccountContract, deps)),
      'DELETE',
      (id) => `${base}/virtual-accounts/${id}`,
    ),
    postDeleteAccount: bound(
      of('post-delete-virtual-account', deactivateVirtualAccountHandler(postDeleteVirtualAccountContract, deps)),
      'POST',
      (id) => `${base}/virtual-accounts/${id}/delete`,
    ),
  };
};

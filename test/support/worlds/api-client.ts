import { createVirtualAccountsHandler } from '#functions/create-virtual-accounts/handler.ts';
import { createWebhookEndpointHandler } from '#functions/create-webhook-endpoint/handler.ts';
import { deleteVirtualAccountHandler } from '#functions/delete-virtual-account/handler.ts';
import { deleteWebhookEndpointHandler } from '#functions/delete-webhook-endpoint/handler.ts';
import { expireCheckoutHandler } from '#functions/expire-checkout/handler.ts';
import { exportPaymentsHandler } from '#functions/export-payments/handler.ts';
import { getEventHandler } from '#functions/get-event/handler.ts';
import { getPaymentHandler } from '#functions/get-payment/handler.ts';
import { getTotalsHandler } from '#functions/get-totals/handler.ts';
import { getVirtualAccountHandler } from '#functions/get-virtual-account/handler.ts';
import { getWebhookEndpointHandler } from '#functions/get-webhook-endpoint/handler.ts';
import { initializeCheckoutHandler } from '#functions/initialize-checkout/handler.ts';
import { listCheckoutsHandler } from '#functions/list-checkouts/handler.ts';
import { listEventsHandler } from '#functions/list-events/handler.ts';
import { listPaymentsHandler } from '#functions/list-payments/handler.ts';
import { listProvidersHandler } from '#functions/list-providers/handler.ts';
import { listVirtualAccountPaymentsHandler } from '#functions/list-virtual-account-payments/handler.ts';
import { listVirtualAccountsHandler } from '#functions/list-virtual-accounts/handler.ts';
import { listWebhookEndpointDeliveriesHandler } from '#functions/list-webhook-endpoint-deliveries/handler.ts';
import { listWebhookEndpointsHandler } from '#functions/list-webhook-endpoints/handler.ts';
import { openAnotherAccountHandler } from '#functions/open-another-account/handler.ts';
import { postDeleteVirtualAccountHandler } from '#functions/post-delete-virtual-account/handler.ts';
import { recoverWebhookEndpointHandler } from '#functions/recover-webhook-endpoint/handler.ts';
import { redeliverEventHandler } from '#functions/redeliver-event/handler.ts';
import { requeryCheckoutHandler } from '#functions/requery-checkout/handler.ts';
import { rotateWebhookSecretHandler } from '#functions/rotate-webhook-secret/handler.ts';
import { simulateCheckoutPaymentHandler } from '#functions/simulate-checkout-payment/handler.ts';
import { simulateVirtualAccountPaymentHandler } from '#functions/simulate-virtual-account-payment/handler.ts';
import { testWebhookEndpointHandler } from '#functions/test-webhook-endpoint/handler.ts';
import { updateWebhookEndpointHandler } from '#functions/update-webhook-endpoint/handler.ts';
import { verifyCheckoutHandler } from '#functions/verify-checkout/handler.ts';
import type { ApiHandler } from '#shared/api/http/types.ts';
import { inRole } from '#test/support/permissions/roles.ts';
import { type ApiCall, apiEvent, lambdaContext } from './api-event.ts';
import type { World } from './world.ts';

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Record<string, string | number | boolean>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any field of the answer, and fails if it is missing.
  readonly json: any;
}

/**
 * Returns the API's endpoints as functions with their middleware chain and a world's dependencies. `from`: the caller's address, or a function
 * that returns the address.
 */
export const createApiClient = (world: World, key: string, from?: string | (() => string)) => {
  const { deps } = world;
  const call = async (handler: ApiHandler, request: ApiCall): Promise<ApiAnswer> => {
    const headers = { authorization: `Bearer ${key}`, ...request.headers };
    const sourceIp = typeof from === 'function' ? from() : from;
    const result = await handler(apiEvent({ ...request, headers, ...(sourceIp && { sourceIp }) }), lambdaContext());
    const text = String(result.body);
    const isJson = String(result.headers?.['content-type']).includes('json');
    return {
      status: result.statusCode ?? 0,
      headers: result.headers ?? {},
      text,
      json: isJson ? JSON.parse(text) : undefined,
    };
  };
  const callById =
    (handler: ApiHandler, method: string, path: (id: string) => string, param = 'id') =>
    (id: string, body?: unknown, headers: Record<string, string> = {}, query: Record<string, string> = {}) =>
      call(handler, { method, path: path(id), params: { [param]: id }, body, headers, query });
  const callPath =
    (handler: ApiHandler, method: string, path: string) =>
    (body?: unknown, headers: Record<string, string> = {}, query: Record<string, string> = {}) =>
      call(handler, { method, path, body, headers, query });
  const base = '/api/v1';
  return {
    initialize: callPath(
      inRole('initialize-checkout', initializeCheckoutHandler(deps)),
      'POST',
      `${base}/checkout/initialize`,
    ),
    simulate: callPath(
      inRole('simulate-checkout-payment', simulateCheckoutPaymentHandler(deps)),
      'POST',
      `${base}/checkout/sandbox/simulate`,
    ),
    verify: callById(
      inRole('verify-checkout', verifyCheckoutHandler(deps)),
      'GET',
      (id) => `${base}/checkout/verify/${id}`,
      'reference',
    ),
    expire: callById(
      inRole('expire-checkout', expireCheckoutHandler(deps)),
      'POST',
      (id) => `${base}/checkouts/${id}/expire`,
      'reference',
    ),
    requery: callById(
      inRole('requery-checkout', requeryCheckoutHandler(deps)),
      'POST',
      (id) => `${base}/checkouts/${id}/requery`,
      'reference',
    ),
    anotherAccount: callById(
      inRole('open-another-account', openAnotherAccountHandler(deps)),
      'POST',
      (id) => `${base}/checkouts/${id}/another-account`,
      'reference',
    ),
    listCheckouts: callPath(inRole('list-checkouts', listCheckoutsHandler(deps)), 'GET', `${base}/checkouts`),
    createAccounts: callPath(
      inRole('create-virtual-accounts', createVirtualAccountsHandler(deps)),
      'POST',
      `${base}/virtual-accounts`,
    ),
    listAccounts: callPath(
      inRole('list-virtual-accounts', listVirtualAccountsHandler(deps)),
      'GET',
      `${base}/virtual-accounts`,
    ),
    getAccount: callById(
      inRole('get-virtual-account', getVirtualAccountHandler(deps)),
      'GET',
      (id) => `${base}/virtual-accounts/${id}`,
    ),
    listPayments: callById(
      inRole('list-virtual-account-payments', listVirtualAccountPaymentsHandler(deps)),
      'GET',
      (id) => `${base}/virtual-accounts/${id}/payments`,
    ),
    simulateAccount: callById(
      inRole('simulate-virtual-account-payment', simulateVirtualAccountPaymentHandler(deps)),
      'POST',
      (id) => `${base}/virtual-accounts/${id}/sandbox/simulate`,
    ),
    listAllPayments: callPath(inRole('list-payments', listPaymentsHandler(deps)), 'GET', `${base}/payments`),
    getPayment: callById(inRole('get-payment', getPaymentHandler(deps)), 'GET', (id) => `${base}/payments/${id}`),
    exportPayments: callPath(inRole('export-payments', exportPaymentsHandler(deps)), 'GET', `${base}/payments/export`),
    totals: callPath(inRole('get-totals', getTotalsHandler(deps)), 'GET', `${base}/totals`),
    listProviders: callPath(inRole('list-providers', listProvidersHandler(deps)), 'GET', `${base}/providers`),
    listEvents: callPath(inRole('list-events', listEventsHandler(deps)), 'GET', `${base}/events`),
    getEvent: callById(inRole('get-event', getEventHandler(deps)), 'GET', (id) => `${base}/events/${id}`),
    redeliver: callById(
      inRole('redeliver-event', redeliverEventHandler(deps)),
      'POST',
      (id) => `${base}/events/${id}/redeliver`,
    ),
    createEndpoint: callPath(
      inRole('create-webhook-endpoint', createWebhookEndpointHandler(deps)),
      'POST',
      `${base}/webhook-endpoints`,
    ),
    updateEndpoint: callById(
      inRole('update-webhook-endpoint', updateWebhookEndpointHandler(deps)),
      'PATCH',
      (id) => `${base}/webhook-endpoints/${id}`,
    ),
    getEndpoint: callById(
      inRole('get-webhook-endpoint', getWebhookEndpointHandler(deps)),
      'GET',
      (id) => `${base}/webhook-endpoints/${id}`,
    ),
    listDeliveries: callById(
      inRole('list-webhook-endpoint-deliveries', listWebhookEndpointDeliveriesHandler(deps)),
      'GET',
      (id) => `${base}/webhook-endpoints/${id}/deliveries`,
    ),
    rotateSecret: callById(
      inRole('rotate-webhook-secret', rotateWebhookSecretHandler(deps)),
      'POST',
      (id) => `${base}/webhook-endpoints/${id}/rotate-secret`,
    ),
    deleteEndpoint: callById(
      inRole('delete-webhook-endpoint', deleteWebhookEndpointHandler(deps)),
      'DELETE',
      (id) => `${base}/webhook-endpoints/${id}`,
    ),
    listEndpoints: callPath(
      inRole('list-webhook-endpoints', listWebhookEndpointsHandler(deps)),
      'GET',
      `${base}/webhook-endpoints`,
    ),
    testEndpoint: callById(
      inRole('test-webhook-endpoint', testWebhookEndpointHandler(deps)),
      'POST',
      (id) => `${base}/webhook-endpoints/${id}/test`,
    ),
    recoverEndpoint: callById(
      inRole('recover-webhook-endpoint', recoverWebhookEndpointHandler(deps)),
      'POST',
      (id) => `${base}/webhook-endpoints/${id}/recover`,
    ),
    deleteAccount: callById(
      inRole('delete-virtual-account', deleteVirtualAccountHandler(deps)),
      'DELETE',
      (id) => `${base}/virtual-accounts/${id}`,
    ),
    postDeleteAccount: callById(
      inRole('post-delete-virtual-account', postDeleteVirtualAccountHandler(deps)),
      'POST',
      (id) => `${base}/virtual-accounts/${id}/delete`,
    ),
  };
};

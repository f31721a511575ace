import { announcingApiEnv, apiEnv, simulatingApiEnv } from '#shared/api/env.ts';
import { publishedEnv } from '#shared/api/env-published.ts';
import { expireCheckoutContract } from '#shared/checkouts/contract/expire-checkout.ts';
import { initializeCheckoutContract } from '#shared/checkouts/contract/initialize-checkout.ts';
import { listCheckoutsContract } from '#shared/checkouts/contract/list-checkouts.ts';
import { openAnotherAccountContract } from '#shared/checkouts/contract/open-another-account.ts';
import { requeryCheckoutContract } from '#shared/checkouts/contract/requery-checkout.ts';
import { simulateCheckoutPaymentContract } from '#shared/checkouts/contract/simulate-checkout-payment.ts';
import { verifyCheckoutContract } from '#shared/checkouts/contract/verify-checkout.ts';
import {
  expireCheckoutEnv,
  initializeCheckoutEnv,
  openAnotherAccountEnv,
  openAnotherOnPageEnv,
  reportTransferEnv,
  requeryCheckoutEnv,
} from '#shared/checkouts/env.ts';
import {
  payerPageEnv,
  showingCheckoutsEnv,
  simulateCheckoutEnv,
  simulateOnPageEnv,
} from '#shared/checkouts/env-page-links.ts';
import { exportPaymentsContract } from '#shared/payments/contract/export-payments.ts';
import { getPaymentContract } from '#shared/payments/contract/get-payment.ts';
import { getTotalsContract } from '#shared/payments/contract/get-totals.ts';
import { listPaymentsContract } from '#shared/payments/contract/list-payments.ts';
import { doMoneyWorkEnv, receiveNotificationEnv } from '#shared/payments/env.ts';
import { sweepPaymentsEnv } from '#shared/payments/env-sweep.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';
import { stageEnv, tableEnv } from '#shared/platform/env.ts';
import { listProvidersContract } from '#shared/providers/contract/list-providers.ts';
import { listProvidersEnv } from '#shared/providers/env-health.ts';
import { createVirtualAccountsContract } from '#shared/virtual-accounts/contract/create-virtual-accounts.ts';
import {
  deleteVirtualAccountContract,
  postDeleteVirtualAccountContract,
} from '#shared/virtual-accounts/contract/delete-virtual-account.ts';
import { getVirtualAccountContract } from '#shared/virtual-accounts/contract/get-virtual-account.ts';
import { listVirtualAccountPaymentsContract } from '#shared/virtual-accounts/contract/list-virtual-account-payments.ts';
import { listVirtualAccountsContract } from '#shared/virtual-accounts/contract/list-virtual-accounts.ts';
import { simulateVirtualAccountPaymentContract } from '#shared/virtual-accounts/contract/simulate-virtual-account-payment.ts';
import { createVirtualAccountsEnv, deactivateVirtualAccountEnv } from '#shared/virtual-accounts/env.ts';
import { createWebhookEndpointContract } from '#shared/webhooks/contract/create-webhook-endpoint.ts';
import { deleteWebhookEndpointContract } from '#shared/webhooks/contract/delete-webhook-endpoint.ts';
import { getEventContract } from '#shared/webhooks/contract/get-event.ts';
import { getWebhookEndpointContract } from '#shared/webhooks/contract/get-webhook-endpoint.ts';
import { listEventsContract } from '#shared/webhooks/contract/list-events.ts';
import { listWebhookEndpointDeliveriesContract } from '#shared/webhooks/contract/list-webhook-endpoint-deliveries.ts';
import { listWebhookEndpointsContract } from '#shared/webhooks/contract/list-webhook-endpoints.ts';
import { recoverWebhookEndpointContract } from '#shared/webhooks/contract/recover-webhook-endpoint.ts';
import { redeliverEventContract } from '#shared/webhooks/contract/redeliver-event.ts';
import { rotateWebhookSecretContract } from '#shared/webhooks/contract/rotate-webhook-secret.ts';
import { testWebhookEndpointContract } from '#shared/webhooks/contract/test-webhook-endpoint.ts';
import { updateWebhookEndpointContract } from '#shared/webhooks/contract/update-webhook-endpoint.ts';
import { LANES } from '#shared/webhooks/domain/delivery.ts';
import {
  createWebhookEndpointEnv,
  deliverWebhooksEnv,
  rotateWebhookSecretEnv,
  sweepDeliveriesEnv,
  updateWebhookEndpointEnv,
} from '#shared/webhooks/env.ts';
import type { FunctionSpec, RouteTrigger } from './function-spec.ts';
import { MONEY_LANES } from './lanes.ts';
import { endpointRights, type FunctionName, TABLE_RIGHTS } from './table-rights.ts';

/*
 * The manifest: every function of the service. Routes, roles, the local stack and tests are derived from it. A new endpoint needs a line here,
 * and an entry for its rights in table-rights.ts.
 */

/** Properties that differ from the defaults. */
type Overrides = Partial<Pick<FunctionSpec, 'queue' | 'memoryMb' | 'timeoutSeconds' | 'isManagement' | 'isSlow'>>;

/** An endpoint with an API key. API Gateway gives up after 30 s, so every time-out is shorter. */
const endpoint = (
  name: FunctionName,
  contract: Contract,
  env: FunctionSpec['env'],
  overrides: Overrides = {},
): FunctionSpec => ({
  name,
  trigger: { kind: 'endpoint', contract },
  env,
  table: endpointRights(name, contract),
  queue: [],
  memoryMb: 512,
  timeoutSeconds: 15,
  ...overrides,
});

/** An endpoint that takes no money: lists, webhook endpoints, events and simulations. */
const management = (
  name: FunctionName,
  contract: Contract,
  env: FunctionSpec['env'],
  overrides: Overrides = {},
): FunctionSpec => endpoint(name, contract, env, { ...overrides, isManagement: true });

/** A management endpoint that can last seconds: it asks a merchant's name servers, or reads and writes thousands of items. */
const slow = (
  name: FunctionName,
  contract: Contract,
  env: FunctionSpec['env'],
  overrides: Overrides = {},
): FunctionSpec => management(name, contract, env, { ...overrides, isSlow: true });

/** A route without a key. */
const openRoute = (
  name: FunctionName,
  trigger: Omit<RouteTrigger, 'kind'>,
  properties: Pick<FunctionSpec, 'memoryMb' | 'timeoutSeconds'> & Partial<FunctionSpec>,
): FunctionSpec => ({
  name,
  trigger: { kind: 'route', ...trigger },
  env: stageEnv,
  table: TABLE_RIGHTS[name],
  queue: [],
  ...properties,
});

/** A route that serves a text from the build, such as the API document. */
const publishedText = (name: FunctionName, route: RouteTrigger['route']): FunctionSpec =>
  openRoute(name, { route, throttle: 'pages' }, { env: publishedEnv, memoryMb: 256, timeoutSeconds: 5 });

/** A function without a route. A queue or a schedule calls it, and it may send messages to queues. */
const background = (
  name: FunctionName,
  trigger: FunctionSpec['trigger'],
  env: FunctionSpec['env'],
  timeoutSeconds: number,
): FunctionSpec => ({
  name,
  trigger,
  env,
  table: TABLE_RIGHTS[name],
  queue: ['SendMessage'],
  memoryMb: 512,
  timeoutSeconds,
});

const SWEEP = { kind: 'schedule', everySeconds: 60, isShared: true } as const;
const MAY_SEND = { queue: ['SendMessage'] } as const;

export const FUNCTIONS: readonly FunctionSpec[] = [
  endpoint('create-virtual-accounts', createVirtualAccountsContract, createVirtualAccountsEnv, {
    ...MAY_SEND,
    timeoutSeconds: 28,
  }),
  management('list-virtual-accounts', listVirtualAccountsContract, apiEnv),
  endpoint('get-virtual-account', getVirtualAccountContract, apiEnv),
  management('list-virtual-account-payments', listVirtualAccountPaymentsContract, apiEnv),
  endpoint('delete-virtual-account', deleteVirtualAccountContract, deactivateVirtualAccountEnv),
  endpoint('post-delete-virtual-account', postDeleteVirtualAccountContract, deactivateVirtualAccountEnv),
  management('simulate-virtual-account-payment', simulateVirtualAccountPaymentContract, simulatingApiEnv, MAY_SEND),

  endpoint('initialize-checkout', initializeCheckoutContract, initializeCheckoutEnv, {
    ...MAY_SEND,
    timeoutSeconds: 28,
  }),
  endpoint('verify-checkout', verifyCheckoutContract, showingCheckoutsEnv),
  management('list-checkouts', listCheckoutsContract, showingCheckoutsEnv),
  endpoint('expire-checkout', expireCheckoutContract, expireCheckoutEnv, MAY_SEND),
  endpoint('requery-checkout', requeryCheckoutContract, requeryCheckoutEnv, MAY_SEND),
  endpoint('open-another-account', openAnotherAccountContract, openAnotherAccountEnv, { timeoutSeconds: 28 }),
  management('simulate-checkout-payment', simulateCheckoutPaymentContract, simulateCheckoutEnv, MAY_SEND),

  management('list-payments', listPaymentsContract, apiEnv),
  management('get-payment', getPaymentContract, apiEnv),
  // Holds up to five thousand payments in memory.
  slow('export-payments', exportPaymentsContract, apiEnv, { memoryMb: 1_024 }),
  management('get-totals', getTotalsContract, apiEnv),
  management('list-providers', listProvidersContract, listProvidersEnv),

  slow('create-webhook-endpoint', createWebhookEndpointContract, createWebhookEndpointEnv),
  management('list-webhook-endpoints', listWebhookEndpointsContract, apiEnv),
  management('get-webhook-endpoint', getWebhookEndpointContract, apiEnv),
  slow('update-webhook-endpoint', updateWebhookEndpointContract, updateWebhookEndpointEnv, MAY_SEND),
  management('delete-webhook-endpoint', deleteWebhookEndpointContract, apiEnv),
  management('rotate-webhook-secret', rotateWebhookSecretContract, rotateWebhookSecretEnv),
  slow('test-webhook-endpoint', testWebhookEndpointContract, announcingApiEnv, MAY_SEND),
  // Holds up to 20,000 ids of deliveries in memory, and writes for up to 20 s.
  slow('recover-webhook-endpoint', recoverWebhookEndpointContract, apiEnv, {
    memoryMb: 1_024,
    timeoutSeconds: 28,
  }),
  management('list-webhook-endpoint-deliveries', listWebhookEndpointDeliveriesContract, apiEnv),
  management('list-events', listEventsContract, apiEnv),
  management('get-event', getEventContract, apiEnv),
  management('redeliver-event', redeliverEventContract, announcingApiEnv, MAY_SEND),

  openRoute(
    'receive-notification',
    { route: 'POST /providers/{provider}/notifications', throttle: 'notifications' },
    { env: receiveNotificationEnv, ...MAY_SEND, memoryMb: 512, timeoutSeconds: 15 },
  ),
  openRoute(
    'check-health',
    { route: 'GET /health', throttle: 'health', alsoHead: true },
    { memoryMb: 512, timeoutSeconds: 15 },
  ),
  publishedText('serve-openapi', 'GET /api/v1/openapi.json'),
  publishedText('serve-openapi-yaml', 'GET /api/v1/openapi.yaml'),
  publishedText('serve-postman-collection', 'GET /api/v1/postman.json'),
  publishedText('serve-llms-txt', 'GET /llms.txt'),
  // Lambda gives more CPU with more memory, and each page is built and compressed when it is requested.
  openRoute(
    'serve-docs',
    { route: 'GET /docs', also: 'GET /docs/{proxy+}', throttle: 'pages' },
    { env: publishedEnv, memoryMb: 512, timeoutSeconds: 5 },
  ),
  // More memory gives more CPU, which Brotli needs to compress the page for each payer.
  openRoute(
    'show-checkout',
    { route: 'GET /pay/{link}', throttle: 'payers' },
    { env: payerPageEnv, memoryMb: 512, timeoutSeconds: 15 },
  ),
  openRoute(
    'show-checkout-status',
    { route: 'GET /pay/{link}/status', throttle: 'payers' },
    { env: payerPageEnv, memoryMb: 512, timeoutSeconds: 15 },
  ),
  openRoute(
    'report-transfer',
    { route: 'POST /pay/{link}/sent', throttle: 'payersForms' },
    { env: reportTransferEnv, ...MAY_SEND, memoryMb: 512, timeoutSeconds: 15 },
  ),
  openRoute(
    'open-another-account-on-page',
    { route: 'POST /pay/{link}/another-account', throttle: 'payersForms' },
    { env: openAnotherOnPageEnv, memoryMb: 512, timeoutSeconds: 28 },
  ),
  openRoute(
    'simulate-on-page',
    { route: 'POST /pay/{link}/simulate', throttle: 'payersForms' },
    { env: simulateOnPageEnv, ...MAY_SEND, memoryMb: 512, timeoutSeconds: 15 },
  ),
  openRoute(
    'serve-logo',
    { route: 'GET /logos/{id}', throttle: 'logos' },
    { env: tableEnv, memoryMb: 512, timeoutSeconds: 15 },
  ),
  openRoute('serve-widget', { route: 'GET /widget/v1.js', throttle: 'pages' }, { memoryMb: 256, timeoutSeconds: 5 }),
  openRoute('not-found', { route: '$default', throttle: 'otherPaths' }, { memoryMb: 256, timeoutSeconds: 5 }),

  // The attempts of a batch run in parallel, so it needs one time-out of 15 s and time to write the results.
  background('deliver-webhooks', { kind: 'queue', lanes: LANES, batchSize: 10 }, deliverWebhooksEnv, 30),
  // Look-ups mostly wait, so five share an execution. Some work needs several calls in sequence, of at most 8 s each.
  background('do-money-work', { kind: 'queue', lanes: MONEY_LANES, batchSize: 5 }, doMoneyWorkEnv, 45),
  background('sweep-deliveries', SWEEP, sweepDeliveriesEnv, 55),
  background('sweep-payments', SWEEP, sweepPaymentsEnv, 55),
];

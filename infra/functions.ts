import type * as z from 'zod/mini';
import { expireCheckoutContract } from '#shared/contract/checkouts/expire-checkout.ts';
import { initializeCheckoutContract } from '#shared/contract/checkouts/initialize-checkout.ts';
import { listCheckoutsContract } from '#shared/contract/checkouts/list-checkouts.ts';
import { simulateCheckoutPaymentContract } from '#shared/contract/checkouts/simulate-checkout-payment.ts';
import { verifyCheckoutContract } from '#shared/contract/checkouts/verify-checkout.ts';
import type { Contract } from '#shared/contract/kernel/contract.ts';
import { createVirtualAccountsContract } from '#shared/contract/virtual-accounts/create-virtual-accounts.ts';
import {
  deleteVirtualAccountContract,
  postDeleteVirtualAccountContract,
} from '#shared/contract/virtual-accounts/delete-virtual-account.ts';
import { getVirtualAccountContract } from '#shared/contract/virtual-accounts/get-virtual-account.ts';
import { listVirtualAccountPaymentsContract } from '#shared/contract/virtual-accounts/list-virtual-account-payments.ts';
import { listVirtualAccountsContract } from '#shared/contract/virtual-accounts/list-virtual-accounts.ts';
import { simulateVirtualAccountPaymentContract } from '#shared/contract/virtual-accounts/simulate-virtual-account-payment.ts';
import { createWebhookEndpointContract } from '#shared/contract/webhooks/create-webhook-endpoint.ts';
import { deleteWebhookEndpointContract } from '#shared/contract/webhooks/delete-webhook-endpoint.ts';
import { getEventContract } from '#shared/contract/webhooks/get-event.ts';
import { getWebhookEndpointContract } from '#shared/contract/webhooks/get-webhook-endpoint.ts';
import { listEventsContract } from '#shared/contract/webhooks/list-events.ts';
import { listWebhookEndpointsContract } from '#shared/contract/webhooks/list-webhook-endpoints.ts';
import { recoverWebhookEndpointContract } from '#shared/contract/webhooks/recover-webhook-endpoint.ts';
import { redeliverEventContract } from '#shared/contract/webhooks/redeliver-event.ts';
import { rotateWebhookSecretContract } from '#shared/contract/webhooks/rotate-webhook-secret.ts';
import { testWebhookEndpointContract } from '#shared/contract/webhooks/test-webhook-endpoint.ts';
import { updateWebhookEndpointContract } from '#shared/contract/webhooks/update-webhook-endpoint.ts';
import { announcingApiEnv, apiEnv, simulatingApiEnv } from '#shared/env/api.ts';
import { expireCheckoutEnv, initializeCheckoutEnv } from '#shared/env/checkouts.ts';
import { noEnv } from '#shared/env/kernel.ts';
import { receiveNotificationEnv, sweepPaymentsEnv } from '#shared/env/money.ts';
import { createVirtualAccountsEnv, deactivateVirtualAccountEnv } from '#shared/env/virtual-accounts.ts';
import {
  createWebhookEndpointEnv,
  deliverWebhooksEnv,
  sweepDeliveriesEnv,
  updateWebhookEndpointEnv,
} from '#shared/env/webhooks.ts';

/** What may be done with the table; a query of an index names it. */
export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'Query gsi1'
  | 'Query gsi2'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem';
export type QueueAction = 'SendMessage';

/** The delivery queues: live first attempts, retries and slow endpoints apart, and all of test mode in one. */
export type Lane = 'first' | 'retry' | 'slow' | 'test';

/** What calls a function: a route of the API (`$default` is every other path), the delivery queues, or the clock. */
export type Trigger =
  | { readonly kind: 'endpoint'; readonly contract: Contract }
  | {
      readonly kind: 'route';
      readonly route:
        | 'GET /health'
        | 'GET /docs'
        | 'GET /api/v1/openapi.json'
        | 'POST /providers/{provider}/notifications'
        | '$default';
      /** Whether a HEAD request is answered too, without the body. */
      readonly alsoHead?: true;
    }
  | { readonly kind: 'queue'; readonly lanes: readonly Lane[]; readonly batchSize: number }
  | { readonly kind: 'schedule'; readonly everySeconds: number };

export interface FunctionSpec {
  /** The folder under `functions/`. */
  readonly name: string;
  readonly trigger: Trigger;
  /** The schema of its environment, in `shared/env/`. */
  readonly env: z.ZodMiniType;
  /** What it may do with the table, and with the delivery queue: exactly what it does. */
  readonly table: readonly TableAction[];
  readonly queue: readonly QueueAction[];
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
}

/** API Gateway gives up at 30 s; no endpoint comes near it. */
const endpoint = (
  name: string,
  contract: Contract,
  rest: Pick<FunctionSpec, 'env' | 'table'> & Partial<FunctionSpec>,
): FunctionSpec => ({
  name,
  trigger: { kind: 'endpoint', contract },
  queue: [],
  memoryMb: 512,
  timeoutSeconds: 15,
  ...rest,
  // The rate limit counts every request by an update.
  table: [...new Set<TableAction>([...rest.table, 'UpdateItem'])],
});

/** Every function of the service. Routes, roles and the local stack derive from this list; nothing repeats it. */
export const FUNCTIONS: readonly FunctionSpec[] = [
  endpoint('create-virtual-accounts', createVirtualAccountsContract, {
    env: createVirtualAccountsEnv,
    table: ['GetItem', 'BatchGetItem', 'Query gsi1', 'PutItem', 'DeleteItem'],
    queue: ['SendMessage'],
    timeoutSeconds: 28,
  }),
  endpoint('list-virtual-accounts', listVirtualAccountsContract, {
    env: apiEnv,
    table: ['GetItem', 'BatchGetItem', 'Query', 'Query gsi1'],
  }),
  endpoint('get-virtual-account', getVirtualAccountContract, { env: apiEnv, table: ['GetItem'] }),
  endpoint('list-virtual-account-payments', listVirtualAccountPaymentsContract, {
    env: apiEnv,
    table: ['GetItem', 'BatchGetItem', 'Query gsi1'],
  }),
  endpoint('delete-virtual-account', deleteVirtualAccountContract, {
    env: deactivateVirtualAccountEnv,
    table: ['GetItem', 'BatchGetItem', 'PutItem'],
  }),
  endpoint('post-delete-virtual-account', postDeleteVirtualAccountContract, {
    env: deactivateVirtualAccountEnv,
    table: ['GetItem', 'BatchGetItem', 'PutItem'],
  }),
  endpoint('simulate-virtual-account-payment', simulateVirtualAccountPaymentContract, {
    env: simulatingApiEnv,
    table: ['GetItem', 'BatchGetItem', 'PutItem'],
    queue: ['SendMessage'],
  }),
  endpoint('initialize-checkout', initializeCheckoutContract, {
    env: initializeCheckoutEnv,
    table: ['GetItem', 'BatchGetItem', 'Query gsi1', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
    queue: ['SendMessage'],
    timeoutSeconds: 28,
  }),
  endpoint('verify-checkout', verifyCheckoutContract, { env: apiEnv, table: ['GetItem'] }),
  endpoint('list-checkouts', listCheckoutsContract, {
    env: apiEnv,
    table: ['GetItem', 'BatchGetItem', 'Query', 'Query gsi1'],
  }),
  endpoint('expire-checkout', expireCheckoutContract, {
    env: expireCheckoutEnv,
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'],
    queue: ['SendMessage'],
  }),
  endpoint('simulate-checkout-payment', simulateCheckoutPaymentContract, {
    env: simulatingApiEnv,
    table: ['GetItem', 'BatchGetItem', 'PutItem'],
    queue: ['SendMessage'],
  }),
  endpoint('create-webhook-endpoint', createWebhookEndpointContract, {
    env: createWebhookEndpointEnv,
    table: ['GetItem', 'PutItem'],
  }),
  endpoint('list-webhook-endpoints', listWebhookEndpointsContract, { env: apiEnv, table: ['GetItem', 'BatchGetItem'] }),
  endpoint('get-webhook-endpoint', getWebhookEndpointContract, { env: apiEnv, table: ['GetItem'] }),
  endpoint('update-webhook-endpoint', updateWebhookEndpointContract, {
    env: updateWebhookEndpointEnv,
    table: ['GetItem', 'BatchGetItem', 'PutItem'],
    queue: ['SendMessage'],
  }),
  endpoint('delete-webhook-endpoint', deleteWebhookEndpointContract, {
    env: apiEnv,
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'],
  }),
  endpoint('rotate-webhook-secret', rotateWebhookSecretContract, {
    env: apiEnv,
    table: ['GetItem', 'BatchGetItem', 'PutItem'],
  }),
  endpoint('test-webhook-endpoint', testWebhookEndpointContract, {
    env: announcingApiEnv,
    table: ['GetItem', 'PutItem'],
    queue: ['SendMessage'],
  }),
  endpoint('recover-webhook-endpoint', recoverWebhookEndpointContract, {
    env: apiEnv,
    table: ['GetItem', 'BatchGetItem', 'Query gsi1', 'PutItem', 'UpdateItem'],
    // Up to 20,000 deliveries in memory, and 20 s of writing.
    memoryMb: 1_024,
    timeoutSeconds: 28,
  }),
  endpoint('list-events', listEventsContract, {
    env: apiEnv,
    table: ['GetItem', 'BatchGetItem', 'Query', 'Query gsi1'],
  }),
  endpoint('get-event', getEventContract, { env: apiEnv, table: ['GetItem', 'Query'] }),
  endpoint('redeliver-event', redeliverEventContract, {
    env: announcingApiEnv,
    table: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
    queue: ['SendMessage'],
  }),
  {
    name: 'receive-notification',
    trigger: { kind: 'route', route: 'POST /providers/{provider}/notifications' },
    env: receiveNotificationEnv,
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'],
    queue: ['SendMessage'],
    memoryMb: 512,
    // It answers after 4 s at the latest; the rest is for writing what a slow look-up found.
    timeoutSeconds: 15,
  },
  {
    name: 'check-health',
    trigger: { kind: 'route', route: 'GET /health', alsoHead: true },
    env: noEnv,
    table: [],
    queue: [],
    memoryMb: 512,
    timeoutSeconds: 15,
  },
  {
    name: 'serve-openapi',
    trigger: { kind: 'route', route: 'GET /api/v1/openapi.json' },
    env: noEnv,
    table: [],
    queue: [],
    memoryMb: 256,
    timeoutSeconds: 5,
  },
  {
    name: 'serve-docs',
    trigger: { kind: 'route', route: 'GET /docs' },
    env: noEnv,
    table: [],
    queue: [],
    // CPU comes with memory: a client that takes no brotli has the page packed anew.
    memoryMb: 512,
    timeoutSeconds: 5,
  },
  {
    name: 'not-found',
    trigger: { kind: 'route', route: '$default' },
    env: noEnv,
    table: [],
    queue: [],
    memoryMb: 256,
    timeoutSeconds: 5,
  },
  {
    name: 'deliver-webhooks',
    trigger: { kind: 'queue', lanes: ['first', 'retry', 'slow', 'test'], batchSize: 10 },
    env: deliverWebhooksEnv,
    table: ['GetItem', 'BatchGetItem', 'Query gsi1', 'PutItem', 'UpdateItem'],
    queue: ['SendMessage'],
    memoryMb: 512,
    // The attempts of a batch run side by side: one time-out of 15 s, and room to write results.
    timeoutSeconds: 30,
  },
  {
    name: 'sweep-deliveries',
    trigger: { kind: 'schedule', everySeconds: 60 },
    env: sweepDeliveriesEnv,
    table: ['GetItem', 'BatchGetItem', 'Query gsi1', 'Query gsi2', 'UpdateItem', 'PutItem'],
    queue: ['SendMessage'],
    memoryMb: 512,
    timeoutSeconds: 55,
  },
  {
    name: 'sweep-payments',
    trigger: { kind: 'schedule', everySeconds: 60 },
    env: sweepPaymentsEnv,
    table: ['GetItem', 'BatchGetItem', 'Query gsi1', 'Query gsi2', 'PutItem', 'DeleteItem'],
    queue: ['SendMessage'],
    memoryMb: 512,
    timeoutSeconds: 55,
  },
];

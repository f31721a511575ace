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
import type { TableRights } from './table-rights.ts';

export type QueueAction = 'SendMessage';

/** The delivery queues: live first attempts, retries and slow endpoints apart, and all of test mode in one. */
export const LANES = ['first', 'retry', 'slow', 'test'] as const;
export type Lane = (typeof LANES)[number];

/** Routes that need no key, by what they are for. Each has a throttle of its own in every stage, so that a flood of one leaves the others. */
export type OpenRoutes = 'notifications' | 'health' | 'pages' | 'otherPaths';

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
      readonly throttle: OpenRoutes;
      /** Whether a HEAD request is answered too, without the body. */
      readonly alsoHead?: true;
    }
  | { readonly kind: 'queue'; readonly lanes: readonly Lane[]; readonly batchSize: number }
  | { readonly kind: 'schedule'; readonly everySeconds: number };

/** The routes of a trigger, as API Gateway writes them; none for what no request calls. */
export const routesOf = (trigger: Trigger): readonly string[] => {
  if (trigger.kind === 'endpoint') return [`${trigger.contract.method} ${trigger.contract.path}`];
  if (trigger.kind !== 'route') return [];
  return trigger.alsoHead ? [trigger.route, trigger.route.replace('GET', 'HEAD')] : [trigger.route];
};

export interface FunctionSpec {
  /** The folder under `functions/`. */
  readonly name: string;
  readonly trigger: Trigger;
  /** The schema of its environment, in `shared/env/`. */
  readonly env: z.ZodMiniType;
  /** What it may do with the table, and with the delivery queue: exactly what it does. */
  readonly table: TableRights;
  readonly queue: readonly QueueAction[];
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /** Not needed to take money: it has a ceiling of concurrency of its own, so that it takes nothing from what is. */
  readonly isManagement?: true;
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
  // Every request is authenticated by a read of its key and counted by an update.
  table: {
    ...rest.table,
    GetItem: ['KEY#*', ...(rest.table.GetItem ?? [])],
    UpdateItem: ['RATE#*', ...(rest.table.UpdateItem ?? [])],
  },
});

/** What merchants set up, look through and repair with: lists, webhook endpoints and events. */
const management = (...args: Parameters<typeof endpoint>): FunctionSpec => ({
  ...endpoint(...args),
  isManagement: true,
});

/** Every function of the service. Routes, roles and the local stack derive from this list; nothing repeats it. */
export const FUNCTIONS: readonly FunctionSpec[] = [
  endpoint('create-virtual-accounts', createVirtualAccountsContract, {
    env: createVirtualAccountsEnv,
    table: {
      GetItem: ['IDEM#*', 'PREF#live#*', 'PROV#*', 'VA#*'],
      BatchGetItem: ['ACCT#live#*', 'BIZ#*', 'PAY#live#*', 'PREF#live#*', 'VA#*'],
      'Query gsi1': ['UNMATCHED'],
      PutItem: ['ACCT#live#*', 'ACCT#test#*', 'CUST#*', 'EVT#*', 'IDEM#*', 'PAY#live#*', 'PROV#*', 'VA#*'],
      UpdateItem: ['USED#*'],
      DeleteItem: ['CUST#*', 'IDEM#*', 'PAY#live#*', 'VA#*'],
    },
    queue: ['SendMessage'],
    timeoutSeconds: 28,
  }),
  management('list-virtual-accounts', listVirtualAccountsContract, {
    env: apiEnv,
    table: { BatchGetItem: ['VA#*'], Query: ['CUST#*'], 'Query gsi1': ['BIZ#*#VA'] },
  }),
  endpoint('get-virtual-account', getVirtualAccountContract, { env: apiEnv, table: { GetItem: ['VA#*'] } }),
  management('list-virtual-account-payments', listVirtualAccountPaymentsContract, {
    env: apiEnv,
    table: { GetItem: ['VA#*'], BatchGetItem: ['PAY#live#*', 'PAY#test#*'], 'Query gsi1': ['OWNER#*'] },
  }),
  endpoint('delete-virtual-account', deleteVirtualAccountContract, {
    env: deactivateVirtualAccountEnv,
    table: {
      GetItem: ['PROV#*'],
      BatchGetItem: ['BIZ#*', 'VA#*'],
      PutItem: ['PROV#*', 'VA#*'],
      UpdateItem: ['USED#*'],
    },
  }),
  endpoint('post-delete-virtual-account', postDeleteVirtualAccountContract, {
    env: deactivateVirtualAccountEnv,
    table: {
      GetItem: ['PROV#*'],
      BatchGetItem: ['BIZ#*', 'VA#*'],
      PutItem: ['IDEM#*', 'PROV#*', 'VA#*'],
      UpdateItem: ['USED#*'],
    },
  }),
  endpoint('simulate-virtual-account-payment', simulateVirtualAccountPaymentContract, {
    env: simulatingApiEnv,
    table: { BatchGetItem: ['BIZ#*', 'VA#*'], PutItem: ['EVT#*', 'IDEM#*', 'PAY#test#*'] },
    queue: ['SendMessage'],
  }),
  endpoint('initialize-checkout', initializeCheckoutContract, {
    env: initializeCheckoutEnv,
    table: {
      GetItem: ['CHK#*', 'IDEM#*', 'PAY#live#*', 'PREF#live#*', 'PROV#*'],
      BatchGetItem: ['BIZ#*', 'CHK#*', 'PAY#live#*', 'PREF#live#*'],
      'Query gsi1': ['UNMATCHED'],
      PutItem: ['ACCT#live#*', 'ACCT#test#*', 'CHK#*', 'EVT#*', 'IDEM#*', 'MREF#*', 'PAY#live#*', 'PROV#*'],
      UpdateItem: ['USED#*'],
      DeleteItem: ['CHK#*', 'IDEM#*', 'MREF#*', 'PAY#live#*'],
      ConditionCheckItem: ['CHK#*'],
    },
    queue: ['SendMessage'],
    timeoutSeconds: 28,
  }),
  endpoint('verify-checkout', verifyCheckoutContract, { env: apiEnv, table: { GetItem: ['CHK#*'] } }),
  management('list-checkouts', listCheckoutsContract, {
    env: apiEnv,
    table: { BatchGetItem: ['CHK#*'], Query: ['MREF#*'], 'Query gsi1': ['BIZ#*#CHK'] },
  }),
  endpoint('expire-checkout', expireCheckoutContract, {
    env: expireCheckoutEnv,
    table: {
      GetItem: ['CHK#*', 'PREF#live#*', 'PROV#*'],
      BatchGetItem: ['BIZ#*', 'CHK#*', 'PAY#live#*', 'PREF#live#*', 'VA#*'],
      PutItem: ['CHK#*', 'EVT#*', 'IDEM#*', 'PAY#live#*', 'PROV#*'],
      UpdateItem: ['USED#*'],
      DeleteItem: ['PAY#live#*'],
    },
    queue: ['SendMessage'],
  }),
  endpoint('simulate-checkout-payment', simulateCheckoutPaymentContract, {
    env: simulatingApiEnv,
    table: { BatchGetItem: ['BIZ#*', 'CHK#*'], PutItem: ['CHK#*', 'EVT#*', 'IDEM#*', 'PAY#test#*'] },
    queue: ['SendMessage'],
  }),
  management('create-webhook-endpoint', createWebhookEndpointContract, {
    env: createWebhookEndpointEnv,
    table: { GetItem: ['BIZ#*'], PutItem: ['BIZ#*', 'WHE#*'], UpdateItem: ['HAND#*'] },
  }),
  management('list-webhook-endpoints', listWebhookEndpointsContract, {
    env: apiEnv,
    table: { GetItem: ['BIZ#*'], BatchGetItem: ['WHE#*'] },
  }),
  management('get-webhook-endpoint', getWebhookEndpointContract, { env: apiEnv, table: { GetItem: ['WHE#*'] } }),
  management('update-webhook-endpoint', updateWebhookEndpointContract, {
    env: updateWebhookEndpointEnv,
    table: {
      GetItem: ['BIZ#*', 'WHE#*'],
      BatchGetItem: ['WHE#*'],
      PutItem: ['BIZ#*', 'EVT#*', 'WHE#*'],
      UpdateItem: ['HAND#*'],
    },
    queue: ['SendMessage'],
  }),
  management('delete-webhook-endpoint', deleteWebhookEndpointContract, {
    env: apiEnv,
    table: { GetItem: ['BIZ#*'], BatchGetItem: ['WHE#*'], PutItem: ['BIZ#*'], DeleteItem: ['WHE#*'] },
  }),
  management('rotate-webhook-secret', rotateWebhookSecretContract, {
    env: apiEnv,
    table: { GetItem: ['BIZ#*'], BatchGetItem: ['WHE#*'], PutItem: ['BIZ#*', 'WHE#*'] },
  }),
  management('test-webhook-endpoint', testWebhookEndpointContract, {
    env: announcingApiEnv,
    table: { GetItem: ['IDEM#*', 'WHE#*'], PutItem: ['EVT#*', 'IDEM#*'], UpdateItem: ['HAND#*'] },
    queue: ['SendMessage'],
  }),
  management('recover-webhook-endpoint', recoverWebhookEndpointContract, {
    env: apiEnv,
    table: {
      GetItem: ['EVT#*', 'IDEM#*', 'WHE#*'],
      BatchGetItem: ['EVT#*'],
      'Query gsi1': ['WHE#*#EXHAUSTED', 'WHE#*#PARKED'],
      PutItem: ['IDEM#*', 'WHE#*'],
      UpdateItem: ['EVT#*', 'HAND#*'],
    },
    // Up to 20,000 names of deliveries in memory, and 20 s of writing.
    memoryMb: 1_024,
    timeoutSeconds: 28,
  }),
  management('list-events', listEventsContract, {
    env: apiEnv,
    table: { BatchGetItem: ['EVT#*'], 'Query gsi1': ['BIZ#*#EVT'] },
  }),
  management('get-event', getEventContract, { env: apiEnv, table: { Query: ['EVT#*'] } }),
  management('redeliver-event', redeliverEventContract, {
    env: announcingApiEnv,
    table: {
      GetItem: ['BIZ#*', 'IDEM#*'],
      BatchGetItem: ['EVT#*'],
      PutItem: ['EVT#*', 'IDEM#*'],
      UpdateItem: ['EVT#*', 'HAND#*'],
    },
    queue: ['SendMessage'],
  }),
  {
    name: 'receive-notification',
    trigger: { kind: 'route', route: 'POST /providers/{provider}/notifications', throttle: 'notifications' },
    env: receiveNotificationEnv,
    table: {
      GetItem: ['CHK#*', 'PREF#live#*', 'PROV#*', 'VA#*'],
      BatchGetItem: ['ACCT#live#*', 'BIZ#*', 'CHK#*', 'PAY#live#*', 'PREF#live#*', 'VA#*'],
      PutItem: ['CHK#*', 'EVT#*', 'NTF#*', 'PAY#live#*', 'PROV#*'],
      DeleteItem: ['PAY#live#*'],
    },
    queue: ['SendMessage'],
    memoryMb: 512,
    // It answers after 4 s at the latest; the rest is for writing what a slow look-up found.
    timeoutSeconds: 15,
  },
  {
    name: 'check-health',
    trigger: { kind: 'route', route: 'GET /health', throttle: 'health', alsoHead: true },
    env: noEnv,
    table: {},
    queue: [],
    memoryMb: 512,
    timeoutSeconds: 15,
  },
  {
    name: 'serve-openapi',
    trigger: { kind: 'route', route: 'GET /api/v1/openapi.json', throttle: 'pages' },
    env: noEnv,
    table: {},
    queue: [],
    memoryMb: 256,
    timeoutSeconds: 5,
  },
  {
    name: 'serve-docs',
    trigger: { kind: 'route', route: 'GET /docs', throttle: 'pages' },
    env: noEnv,
    table: {},
    queue: [],
    // CPU comes with memory: a client that takes no brotli has the page packed anew.
    memoryMb: 512,
    timeoutSeconds: 5,
  },
  {
    name: 'not-found',
    trigger: { kind: 'route', route: '$default', throttle: 'otherPaths' },
    env: noEnv,
    table: {},
    queue: [],
    memoryMb: 256,
    timeoutSeconds: 5,
  },
  {
    name: 'deliver-webhooks',
    trigger: { kind: 'queue', lanes: LANES, batchSize: 10 },
    env: deliverWebhooksEnv,
    table: {
      GetItem: ['BIZ#*', 'WHE#*'],
      BatchGetItem: ['EVT#*', 'WHE#*'],
      'Query gsi1': ['WHE#*#PARKED'],
      PutItem: ['BIZ#*', 'EVT#*', 'WHE#*'],
      UpdateItem: ['EVT#*'],
    },
    queue: ['SendMessage'],
    memoryMb: 512,
    // The attempts of a batch run side by side: one time-out of 15 s, and room to write results.
    timeoutSeconds: 30,
  },
  {
    name: 'sweep-deliveries',
    trigger: { kind: 'schedule', everySeconds: 60 },
    env: sweepDeliveriesEnv,
    table: {
      GetItem: ['EVT#*', 'WHE#*'],
      BatchGetItem: ['EVT#*'],
      'Query gsi1': ['WHE#*#PARKED'],
      'Query gsi2': ['DUE#deliveries#*', 'DUE#test_deliveries#*'],
      PutItem: ['WHE#*'],
      UpdateItem: ['EVT#*'],
    },
    queue: ['SendMessage'],
    memoryMb: 512,
    timeoutSeconds: 55,
  },
  {
    name: 'sweep-payments',
    trigger: { kind: 'schedule', everySeconds: 60 },
    env: sweepPaymentsEnv,
    table: {
      GetItem: ['CHK#*', 'NTF#*', 'PAY#live#*', 'PREF#live#*', 'PROV#*', 'RECON#*', 'VA#*'],
      BatchGetItem: ['ACCT#live#*', 'BIZ#*', 'CHK#*', 'PAY#live#*', 'PREF#live#*', 'VA#*'],
      'Query gsi1': ['UNMATCHED'],
      'Query gsi2': ['DUE#payments#*', 'DUE#reviews#*', 'DUE#test_payments#*'],
      PutItem: [
        'ACCT#live#*',
        'ACCT#test#*',
        'CHK#*',
        'EVT#*',
        'MREF#*',
        'NTF#*',
        'PAY#live#*',
        'PROV#*',
        'RECON#*',
        'VA#*',
      ],
      DeleteItem: ['CHK#*', 'CUST#*', 'MREF#*', 'PAY#live#*', 'VA#*'],
    },
    queue: ['SendMessage'],
    memoryMb: 512,
    timeoutSeconds: 55,
  },
];

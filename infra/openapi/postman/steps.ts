/* The requests of the collection in the order in which they run, and the ids that each saves for later requests. */

/** A request of the collection. */
export interface Step {
  readonly operationId: string;
  /** The index of the body's example that it sends; by default 0. */
  readonly example?: number;
  /** For each variable that it sets: the place of the value in the answer. */
  readonly keeps?: Readonly<Record<string, string>>;
}

interface Folder {
  readonly name: string;
  readonly description: string;
  readonly steps: readonly Step[];
}

/** The variables for ids, with the prefix of each id. */
export const ID_PREFIXES = {
  reference: 'PAY-',
  virtual_account_id: 'va_',
  payment_id: 'pay_',
  webhook_endpoint_id: 'whe_',
  event_id: 'evt_',
} as const;

const step = (operationId: string, more: Omit<Step, 'operationId'> = {}): Step => ({ operationId, ...more });

/** The folders of the collection. */
export const FOLDERS: readonly Folder[] = [
  {
    name: 'Checkout',
    description:
      'Start a checkout, pay it and verify it. Then start a second one, open another account for it, and end it without money. Another account needs routing: without it the answer is 409.',
    steps: [
      step('initializeCheckout', { keeps: { reference: 'data.reference' } }),
      step('simulateCheckoutPayment'),
      step('verifyCheckout'),
      step('requeryCheckout'),
      step('listCheckouts'),
      step('initializeCheckout', { example: 1, keeps: { reference: 'data.reference' } }),
      step('openAnotherAccount'),
      step('expireCheckout'),
    ],
  },
  {
    name: 'Virtual accounts',
    description: 'Create account numbers for a customer, and simulate a transfer to one of them.',
    steps: [
      step('createVirtualAccounts', { keeps: { virtual_account_id: 'accounts[0].id' } }),
      step('getVirtualAccount'),
      step('listVirtualAccounts'),
      step('simulateVirtualAccountPayment', { keeps: { payment_id: 'data.id' } }),
      step('listVirtualAccountPayments'),
    ],
  },
  {
    name: 'Payments',
    description: 'List, export and sum the money that landed.',
    steps: [step('getPayment'), step('listPayments'), step('exportPayments'), step('getTotals')],
  },
  {
    name: 'Webhook endpoints',
    description: 'Set the variable `webhook_url` to a server of yours first: the test event goes there.',
    steps: [
      step('createWebhookEndpoint', { keeps: { webhook_endpoint_id: 'data.id' } }),
      step('getWebhookEndpoint'),
      step('listWebhookEndpoints'),
      step('updateWebhookEndpoint', { example: 1 }),
      step('testWebhookEndpoint', { keeps: { event_id: 'data.id' } }),
      step('listWebhookEndpointDeliveries'),
      step('recoverWebhookEndpoint'),
      step('rotateWebhookSecret'),
    ],
  },
  {
    name: 'Events',
    description: 'List events with their deliveries, and send one again.',
    steps: [step('listEvents'), step('getEvent'), step('redeliverEvent')],
  },
  {
    name: 'Providers',
    description: 'Whether money lands at each provider.',
    steps: [step('listProviders')],
  },
  {
    name: 'Clean up',
    description: 'Deactivate and delete what the requests above created.',
    steps: [step('deleteVirtualAccount'), step('postDeleteVirtualAccount'), step('deleteWebhookEndpoint')],
  },
];

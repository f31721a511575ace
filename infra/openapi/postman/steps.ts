/* The requests of the collection in the order in which they run, and the ids that each saves for later requests. */

/** A request of the collection. */
export interface Step {
  readonly operationId: string;
  /** The index of the body's example that it sends; by default 0. */
  readonly example?: number;
  /** For each variable that it sets: the place of the value in the answer. */
  readonly savedVariables?: Readonly<Record<string, string>>;
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

const makeStep = (operationId: string, more: Omit<Step, 'operationId'> = {}): Step => ({ operationId, ...more });

/** The folders of the collection. */
export const FOLDERS: readonly Folder[] = [
  {
    name: 'Checkout',
    description:
      'Start a checkout, pay it and verify it. Then start a second one, open another account for it, and end it without money. Another account needs routing: without it the answer is 409.',
    steps: [
      makeStep('initializeCheckout', { savedVariables: { reference: 'data.reference' } }),
      makeStep('simulateCheckoutPayment'),
      makeStep('verifyCheckout'),
      makeStep('requeryCheckout'),
      makeStep('listCheckouts'),
      makeStep('initializeCheckout', { example: 1, savedVariables: { reference: 'data.reference' } }),
      makeStep('openAnotherAccount'),
      makeStep('expireCheckout'),
    ],
  },
  {
    name: 'Virtual accounts',
    description: 'Create account numbers for a customer, and simulate a transfer to one of them.',
    steps: [
      makeStep('createVirtualAccounts', { savedVariables: { virtual_account_id: 'accounts[0].id' } }),
      makeStep('getVirtualAccount'),
      makeStep('listVirtualAccounts'),
      makeStep('simulateVirtualAccountPayment', { savedVariables: { payment_id: 'data.id' } }),
      makeStep('listVirtualAccountPayments'),
    ],
  },
  {
    name: 'Payments',
    description: 'List, export and sum the money that landed.',
    steps: [makeStep('getPayment'), makeStep('listPayments'), makeStep('exportPayments'), makeStep('getTotals')],
  },
  {
    name: 'Webhook endpoints',
    description: 'Set the variable `webhook_url` to a server of yours first: the test event goes there.',
    steps: [
      makeStep('createWebhookEndpoint', { savedVariables: { webhook_endpoint_id: 'data.id' } }),
      makeStep('getWebhookEndpoint'),
      makeStep('listWebhookEndpoints'),
      makeStep('updateWebhookEndpoint', { example: 1 }),
      makeStep('testWebhookEndpoint', { savedVariables: { event_id: 'data.id' } }),
      makeStep('listWebhookEndpointDeliveries'),
      makeStep('recoverWebhookEndpoint'),
      makeStep('rotateWebhookSecret'),
    ],
  },
  {
    name: 'Events',
    description: 'List events with their deliveries, and send one again.',
    steps: [makeStep('listEvents'), makeStep('getEvent'), makeStep('redeliverEvent')],
  },
  {
    name: 'Providers',
    description: 'Whether money lands at each provider.',
    steps: [makeStep('listProviders')],
  },
  {
    name: 'Clean up',
    description: 'Deactivate and delete what the requests above created.',
    steps: [makeStep('deleteVirtualAccount'), makeStep('postDeleteVirtualAccount'), makeStep('deleteWebhookEndpoint')],
  },
];

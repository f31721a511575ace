/* The order in which the collection's requests run one after another, and what each keeps for those that follow. */

/** A request of the collection. */
export interface Step {
  readonly operationId: string;
  /** Which of the examples of its body it sends; the first by default. */
  readonly example?: number;
  /** Where the answer has what a variable of the collection keeps. */
  readonly keeps?: Readonly<Record<string, string>>;
}

interface Folder {
  readonly name: string;
  readonly description: string;
  readonly steps: readonly Step[];
}

/** The variables that keep an id, and how the ids of each begin. */
export const ID_PREFIXES = {
  reference: 'PAY-',
  virtual_account_id: 'va_',
  payment_id: 'pay_',
  webhook_endpoint_id: 'whe_',
  event_id: 'evt_',
} as const;

const step = (operationId: string, more: Omit<Step, 'operationId'> = {}): Step => ({ operationId, ...more });

export const FOLDERS: readonly Folder[] = [
  {
    name: 'Checkout',
    description:
      'A payment by bank transfer from its start to its money, and a second one that gets another account, where your business has routing on (else the answer is 409), and is ended without any.',
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
    description: 'Account numbers of a customer, and a transfer to one of them.',
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
    description: 'The money that has landed.',
    steps: [step('getPayment'), step('listPayments'), step('exportPayments'), step('getTotals')],
  },
  {
    name: 'Webhook endpoints',
    description: 'Set the variable `webhook_url` to a server of yours first: the test event is sent there.',
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
    description: 'Everything that happened, and what became of its webhooks.',
    steps: [step('listEvents'), step('getEvent'), step('redeliverEvent')],
  },
  {
    name: 'Providers',
    description: 'Whether money lands at each provider.',
    steps: [step('listProviders')],
  },
  {
    name: 'Clean up',
    description: 'Ends what the requests above have made.',
    steps: [step('deleteVirtualAccount'), step('postDeleteVirtualAccount'), step('deleteWebhookEndpoint')],
  },
];

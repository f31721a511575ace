/** DynamoDB calls, read units and write units. Transactions count double, and index writes are included. */
export type Units = readonly [calls: number, readUnits: number, writeUnits: number];

/** The calls and units of each step in test mode. test/integration/operations/costs.test.ts counts them. */
export const STEPS = {
  'Checkout initialized (test mode)': [2, 1, 7],
  'Money landed, one endpoint': [3, 3, 15],
  'Delivered at the first attempt': [3, 3, 3],
  'Failed attempt': [5, 3, 6],
  'Delivery parked': [2, 3, 4],
  'Parked delivery checked by the safety net, once a day': [3, 3, 6],
  'Parked delivery released': [1, 0, 4],
  'Released delivery delivered': [3, 3, 5],
  'Failed attempt, sent by a sweep': [6, 3, 11],
  'Checkout verified': [2, 2, 0],
  'Payment page shown': [2, 2, 0],
  'Payment page asks for news, there is none': [1, 0.5, 0],
  'The largest logo loaded, once in a browser': [1, 22, 0],
  'A list with one item': [3, 2.5, 0],
  'A page of events by delivery status, five endpoints, a hundred events': [9, 353, 1],
  'A recovery of a hundred exhausted deliveries': [111, 105.5, 406],
  'The same recovery, requested again': [11, 105.5, 7],
  'Count for the rate limit, of one to five requests': [1, 0, 1],
  'Last use of a key recorded, once an hour in each container': [1, 0, 1],
} as const satisfies Readonly<Record<string, Units>>;

/** The steps in live mode, measured with Paystack unless the name of the step says otherwise. The first number counts requests to the provider. */
export const LIVE_STEPS = {
  'Checkout initialized': [1, 6, 2, 12],
  'Checkout initialized by a browser': [1, 8, 2, 14],
  'Virtual account created': [3, 6, 2, 12],
  'Money landed: notified, looked up, one endpoint': [1, 8, 5.5, 23],
  'Checkout that nobody pays: three look-ups, expired': [3, 28, 22, 29],
  'The same at Paystack, whose list replaces the third look-up': [2, 27, 21.5, 29],
  'Payment reviewed within the week, at Korapay': [1, 5, 6.5, 2],
  'A sweep that finds nothing, for each shard': [0, 5, 2.5, 0],
  'The same sweep: count of stuck notifications': [0, 1, 0.5, 0],
  'The same sweep: health of each provider': [0, 1, 0.5, 0],
  'First report of a payer that the money was sent': [0, 2, 2, 5],
  'Check after five minutes whether that money landed': [0, 5, 1.5, 9],
  'Reconciliation that is not due, every minute': [0, 3, 3, 0],
  'Reconciliation of ten minutes without money': [1, 3, 1.5, 3],
  'Reconciliation with one known payment': [1, 4, 2.5, 3],
  'Reconciliation with one known payment whose landing time is counted': [1, 4, 2.5, 6],
} as const satisfies Readonly<Record<string, readonly [requests: number, ...Units]>>;

/** Requests to SQS for a message, which is sent, received and deleted. */
export const MESSAGE_REQUESTS = 3;

/** Messages of a live payment with one endpoint, and of an unpaid live checkout: a ticket for each look-up, and deliveries. */
export const QUEUED = {
  paid: { tickets: LIVE_STEPS['Money landed: notified, looked up, one endpoint'][0], deliveries: 1 },
  unpaid: { tickets: LIVE_STEPS['Checkout that nobody pays: three look-ups, expired'][0], deliveries: 1 },
} as const;

/** Write units of the table alone and of each index, which all have separate throughputs. */
export interface WritesByPlace {
  readonly table: number;
  readonly gsi1: number;
  readonly gsi2: number;
  readonly gsi3: number;
}

/** The write units of steps, by table and index. */
export const WRITES = {
  'Checkout initialized': { table: 7, gsi1: 2, gsi2: 3, gsi3: 0 },
  'Money landed: notified, looked up, one endpoint': { table: 16, gsi1: 2, gsi2: 4, gsi3: 1 },
  'Delivered at the first attempt': { table: 2, gsi1: 0, gsi2: 1, gsi3: 0 },
  'Checkout that nobody pays: three look-ups, expired': { table: 18, gsi1: 1, gsi2: 10, gsi3: 0 },
} as const satisfies Readonly<Record<string, WritesByPlace>>;

/** Writes to the due-work index. An entry that moves counts twice. */
export const DUE_WRITES = {
  'Delivered at the first attempt': 2,
  'Failed attempt whose retry waits in a queue': 2,
  'Failed attempt whose retry a sweep sends': 6,
  'Live checkout, paid, with its notification': 6,
  'Live checkout that nobody pays': 12,
} as const;

/** Calls of DynamoDB, read units and write units; a transaction counts double, and index writes are included. */
export type Units = readonly [calls: number, readUnits: number, writeUnits: number];

/** The calls and units of each step in test mode, as test/integration/operations/costs.test.ts counts it at the engine. */
export const STEPS = {
  'Checkout initialized (test mode)': [2, 1, 7],
  'Money landed, one endpoint': [3, 3, 15],
  'Delivered at the first attempt': [3, 3, 3],
  'An attempt that failed': [5, 3, 6],
  Parked: [2, 3, 4],
  'Looked at by the safety net, once a day': [3, 3, 6],
  'Let go again': [1, 0, 4],
  'and then delivered': [3, 3, 5],
  'An attempt that failed, sent by a sweep': [6, 3, 11],
  'Checkout verified': [2, 2, 0],
  'Payment page shown': [2, 2, 0],
  'Payment page asks, nothing is new': [1, 0.5, 0],
  'A list of one': [3, 2.5, 0],
  'A page of events by delivery status, five endpoints, a hundred events': [9, 353, 1],
  'A recovery of a hundred given up': [111, 105.5, 406],
  'The same, asked for again': [11, 105.5, 7],
  'A report to the rate limit, of one to five requests': [1, 0, 1],
} as const satisfies Readonly<Record<string, Units>>;

/** The same in live mode with Paystack, after the number of requests to the provider. */
export const LIVE_STEPS = {
  'Checkout initialized': [1, 6, 2, 12],
  'Checkout initialized by a browser': [1, 8, 2, 14],
  'Virtual account created': [3, 6, 2, 12],
  'Money landed: notified, looked up, one endpoint': [1, 8, 5.5, 23],
  'Checkout that nobody pays: three look-ups, expired': [3, 27, 21, 29],
  'Reviewed within the week, at Korapay': [1, 5, 6.5, 2],
  'A sweep that finds nothing, for each shard': [0, 5, 2.5, 0],
  'the same, for its count of stuck notifications': [0, 1, 0.5, 0],
  'Reconciliation that is not due, every minute': [0, 1, 1, 0],
  'Reconciliation of ten minutes without money': [1, 3, 1.5, 2],
  'with one payment that we know': [1, 5, 2.5, 4],
} as const satisfies Readonly<Record<string, readonly [requests: number, ...Units]>>;

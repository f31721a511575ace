/* Limits of AWS from its documentation, and limits that providers publish. */

/** A default limit of AWS, its source, and its code for `aws service-quotas` if it is known. */
export interface Quota {
  readonly limit: number;
  readonly source: string;
  readonly service?: string;
  readonly code?: string;
}

const DYNAMODB = 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide';
const LAMBDA = 'https://docs.aws.amazon.com/lambda/latest/dg';

export const QUOTAS = {
  /** Write units per second of a new table or index. Later it grows to twice its last peak every 30 minutes. */
  newWrites: { limit: 4_000, source: `${DYNAMODB}/warm-throughput-scenarios.html` },
  newReads: { limit: 12_000, source: `${DYNAMODB}/warm-throughput-scenarios.html` },
  /** Units per second of a table, and of each index. */
  tableWrites: { limit: 40_000, source: `${DYNAMODB}/on-demand-capacity-mode-max-throughput.html` },
  /** Units per second of a partition of a table or an index. */
  partitionWrites: { limit: 1_000, source: `${DYNAMODB}/bp-partition-key-design.html` },
  partitionReads: { limit: 3_000, source: `${DYNAMODB}/bp-partition-key-design.html` },
  /** Concurrent executions in an account and region. */
  executions: { limit: 1_000, source: `${LAMBDA}/gettingstarted-limits.html`, service: 'lambda', code: 'L-B99A9384' },
  /** Concurrent executions by which a function may grow every ten seconds. */
  functionGrowth: { limit: 1_000, source: `${LAMBDA}/scaling-behavior.html` },
  /** Concurrent executions of a queue's consumer: at the start, added each minute, and at most. */
  queueStart: { limit: 5, source: `${LAMBDA}/services-sqs-scaling.html` },
  queueGrowth: { limit: 300, source: `${LAMBDA}/services-sqs-scaling.html` },
  queueMost: { limit: 1_000, source: `${LAMBDA}/services-sqs-scaling.html` },
  /** Messages of a queue that are received and not deleted. */
  inFlight: {
    limit: 120_000,
    source: 'https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html',
  },
  /** Requests per second in an account and region. */
  gatewayRequests: {
    limit: 10_000,
    source: 'https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html',
    service: 'apigateway',
    code: 'L-8A5B8E43',
  },
  /** Requests per second in newer regions, such as Cape Town, Milan, the UAE and Tel Aviv. */
  gatewayRequestsNewer: {
    limit: 2_500,
    source: 'https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html',
  },
} as const satisfies Readonly<Record<string, Quota>>;

/** Sources that say when DynamoDB splits a partition and when it does not. */
export const SPLITTING = {
  adaptive: `${DYNAMODB}/burst-adaptive-capacity.html`,
  rising:
    'https://aws.amazon.com/blogs/database/part-2-scaling-dynamodb-how-partitions-hot-keys-and-split-for-heat-impact-performance/',
} as const;

const MINUTE = 60;

/**
 * The limits that Paystack publishes for an integration (one account there), in calls per second in live mode (docs/internals/providers.md
 * section 1.1). Other providers publish none.
 */
export const PAYSTACK = { openings: 1_200 / MINUTE, lookUps: 3_000 / MINUTE, general: 600 / MINUTE } as const;

/** Writing requests that a provider gets for one virtual account, for the account of one checkout, and for one closing. */
export const PROVIDER_WRITES: Readonly<Record<string, { account: number; checkout: number; closing: number }>> = {
  paystack: { account: 2, checkout: 1, closing: 1 },
  monnify: { account: 1, checkout: 2, closing: 1 },
  korapay: { account: 1, checkout: 1, closing: 0 },
};
/** The most writing requests of any provider. They are assumed for a provider that `PROVIDER_WRITES` lacks. */
export const MOST_WRITES = { account: 2, checkout: 2, closing: 1 } as const;

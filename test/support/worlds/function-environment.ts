/** The environment that a stage gives its functions. */
export const ENVIRONMENT = {
  STAGE: 'dev',
  TABLE_NAME: 'table',
  DUE_SHARDS: '2',
  HASH_KEY: '0123456789abcdef0123456789abcdef',
  RATE_LIMITS: '{"live": 100, "test": 25, "publicAddress": 10}',
  CREATION_ALLOWANCE: '{"creations": 10, "publicCreations": 8, "addressCreations": 2, "seconds": 10}',
  FIRST_QUEUE_URL: 'https://sqs.example.com/first',
  RETRY_QUEUE_URL: 'https://sqs.example.com/retry',
  SLOW_QUEUE_URL: 'https://sqs.example.com/slow',
  TEST_QUEUE_URL: 'https://sqs.example.com/test',
  WEBHOOK_TARGETS: 'public',
  RETRY_SCHEDULE: '{"gaps": [5000], "afterwards": 60000, "until": 600000}',
  DEFAULT_PROVIDER: 'korapay',
  PROVIDERS: '{"korapay": {}}',
  AWS_REGION: 'us-east-1',
};

/** The table's shape, for CDK and for the local stack. What the keys hold: `shared/adapters/dynamodb/table/keys.ts`. */
export const TABLE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  timeToLive: 'ttl',
  /** Both project keys only. `gsi1`: lists, newest first. `gsi2`: the sparse index of due work. */
  indexes: [
    { name: 'gsi1', partitionKey: 'gsi1pk', sortKey: 'gsi1sk' },
    { name: 'gsi2', partitionKey: 'gsi2pk', sortKey: 'gsi2sk' },
  ],
} as const;

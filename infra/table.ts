/** The shape of the table, for CDK and for the local stack. `shared/platform/table/keys.ts` says what the keys contain. */
export const TABLE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  timeToLive: 'ttl',
  /**
   * Each index has only keys, no other attributes. `gsi1`: lists, newest first. `gsi2`: the sparse index of due work. `gsi3`: the payments of a
   * business by time.
   */
  indexes: [
    { name: 'gsi1', partitionKey: 'gsi1pk', sortKey: 'gsi1sk' },
    { name: 'gsi2', partitionKey: 'gsi2pk', sortKey: 'gsi2sk' },
    { name: 'gsi3', partitionKey: 'gsi3pk', sortKey: 'gsi3sk' },
  ],
} as const;

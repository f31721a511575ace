import type { StageSettings } from '#infra/constructs/stage-settings.ts';
import { formatNumber } from './numbers.ts';
import { QUOTAS } from './quotas.ts';

/** A partition of the table or an index that belongs to one key, business, account or endpoint. */
interface Partition {
  readonly partition: string;
  /** The work on the partition, in words. */
  readonly load: string;
  /** Read or write units of one piece of the work. */
  readonly units: number;
  readonly kind: 'reads' | 'writes';
  /** The unit of the printed limit. */
  readonly counted: string;
  /** The remedy above the limit. */
  readonly beyond: string;
}

const listAll = (settings: StageSettings): readonly Partition[] => [
  {
    partition: '`KEY#…`, an API key',
    load: '1 read a request',
    units: 1,
    kind: 'reads',
    counted: `requests a second (the rate limit of a key is ${formatNumber(settings.requestsPerSecond.live)})`,
    beyond: 'more keys',
  },
  {
    partition: '`RATE#…`, the count of a key or an address',
    load: '1 write for one to five requests of a container',
    units: 1,
    kind: 'writes',
    counted: 'such writes a second',
    beyond: `keep \`requestsPerSecond\` below ${formatNumber(QUOTAS.partitionWrites.limit)}`,
  },
  {
    partition: '`BIZ#…`, a business',
    load: '1 read a landing; up to 3 with many keys, members and endpoints',
    units: 3,
    kind: 'reads',
    counted: 'landings a second; three times as many for a small business',
    beyond: 'two businesses',
  },
  {
    partition: '`BIZ#…#live#CHK` and `#EVT` on `gsi1`, the lists of a business',
    load: '1 write a checkout, 1 write an event',
    units: 1,
    kind: 'writes',
    counted: 'checkouts a second, and as many events',
    beyond: 'two businesses',
  },
  {
    partition: '`BIZ#…#live#PAY` on `gsi3`, the payments of a business',
    load: '1 write a payment, 2 more writes a reversal',
    units: 1,
    kind: 'writes',
    counted: 'payments a second',
    beyond: 'two businesses',
  },
  {
    partition: '`OWNER#…` on `gsi1`, the payments of an account or a checkout',
    load: '1 write a payment',
    units: 1,
    kind: 'writes',
    counted: 'payments a second into one account',
    beyond: 'two accounts; an account is meant for one customer',
  },
  {
    partition: '`VA#…`, a virtual account',
    load: '1 read a landing; landings do not write it',
    units: 1,
    kind: 'reads',
    counted: 'landings a second',
    beyond: 'two accounts',
  },
  {
    partition: '`TOT#…`, the totals of a business by day',
    load: '2 writes a reversal; landings do not write it',
    units: 2,
    kind: 'writes',
    counted: 'reversals a second',
    beyond: 'two businesses',
  },
  {
    partition: '`WHE#…`, an endpoint and its breaker',
    load: '2 reads an attempt',
    units: 2,
    kind: 'reads',
    counted: 'attempts a second',
    beyond: 'two endpoints, each for some event types',
  },
  {
    partition: '`UNMATCHED` on `gsi1`',
    load: '0.5 reads an opened live checkout or account, if the list is short',
    units: 0.5,
    kind: 'reads',
    counted: 'openings a second; fewer if the list is long',
    beyond: 'assign the unmatched money',
  },
  {
    partition: '`STUCK` on `gsi1`',
    load: '1 write a notification that becomes stuck',
    units: 1,
    kind: 'writes',
    counted: 'a second, such as after an hour without a provider',
    beyond: 'nothing: the others become stuck at their next try',
  },
];

/** Lists the rows of the table of partitions. */
export const listPartitions = (settings: StageSettings): readonly (readonly string[])[] =>
  listAll(settings).map(({ partition, load, units, kind, counted, beyond }) => {
    const limit = kind === 'reads' ? QUOTAS.partitionReads.limit : QUOTAS.partitionWrites.limit;
    return [partition, load, `${formatNumber(limit / units)} ${counted}`, beyond];
  });

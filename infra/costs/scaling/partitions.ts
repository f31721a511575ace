import type { StageSettings } from '#infra/constructs/stage-settings.ts';
import { formatNumber } from './numbers.ts';
import { QUOTAS } from './quotas.ts';

/** A partition that one key, business, account or endpoint has for itself. */
interface Partition {
  readonly partition: string;
  /** Its load, and the units of each. */
  readonly load: string;
  readonly units: number;
  readonly kind: 'reads' | 'writes';
  readonly counted: string;
  readonly beyond: string;
}

const listAll = (settings: StageSettings): readonly Partition[] => [
  {
    partition: '`KEY#…`, an API key',
    load: '1 read a request',
    units: 1,
    kind: 'reads',
    counted: `requests a second; its limit is ${formatNumber(settings.requestsPerSecond.live)}, and as many verifies`,
    beyond: 'more keys',
  },
  {
    partition: '`RATE#…`, the count of a key or an address',
    load: '1 write a report, of one to five requests of a container',
    units: 1,
    kind: 'writes',
    counted: 'reports a second',
    beyond: `keep \`requestsPerSecond\` under ${formatNumber(QUOTAS.partitionWrites.limit)}`,
  },
  {
    partition: '`BIZ#…`, a business',
    load: 'up to 3 reads a landing, with many keys, members and endpoints; 1 with few',
    units: 3,
    kind: 'reads',
    counted: 'landings a second, three times as many of a small business',
    beyond: 'two businesses',
  },
  {
    partition: '`BIZ#…#live#CHK` and `#EVT` on `gsi1`, the lists of a business',
    load: '1 write a checkout, 1 an event',
    units: 1,
    kind: 'writes',
    counted: 'checkouts, and as many events, a second',
    beyond: 'two businesses',
  },
  {
    partition: '`BIZ#…#live#PAY` on `gsi3`, the payments of a business',
    load: '1 write a payment, 2 more a reversal',
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
    beyond: 'two accounts: one for each customer is meant',
  },
  {
    partition: '`VA#…`, a virtual account',
    load: '1 read a landing; no landing writes it',
    units: 1,
    kind: 'reads',
    counted: 'landings a second',
    beyond: 'two accounts',
  },
  {
    partition: '`TOT#…`, the totals of a business by day',
    load: '2 writes a reversal; no landing writes it',
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
    beyond: 'two endpoints, each for some types of events',
  },
  {
    partition: '`UNMATCHED` on `gsi1`',
    load: '0.5 reads a live checkout or account that is opened, while the list is short',
    units: 0.5,
    kind: 'reads',
    counted: 'opened a second; fewer with a long list',
    beyond: 'assign what is unmatched',
  },
  {
    partition: '`STUCK` on `gsi1`',
    load: '1 write a notification that becomes stuck',
    units: 1,
    kind: 'writes',
    counted: 'a second, as when a provider is away for an hour',
    beyond: 'nothing: those above it become stuck at their next try',
  },
];

/** The rows of the table of partitions. */
export const listPartitions = (settings: StageSettings): readonly (readonly string[])[] =>
  listAll(settings).map(({ partition, load, units, kind, counted, beyond }) => {
    const limit = kind === 'reads' ? QUOTAS.partitionReads.limit : QUOTAS.partitionWrites.limit;
    return [partition, load, `${formatNumber(limit / units)} ${counted}`, beyond];
  });

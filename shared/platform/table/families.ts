/*
 * The keys of the one table. docs/internals/table.md lists every item with its key and its lists. The `store/keys.ts` of the capability that
 * owns an item spells its keys; keys.ts and due-keys.ts beside this file spell those of counted requests, leases, stored answers and due work.
 * `…Key` makes the key of an item, `in…` its place in a list on gsi1, and `…Partition` the partition of such a list. A new kind of partition
 * key is a new family below, and a row of table.md.
 *
 * The operations command alone touches AUDIT#… and ERASE#…: no function's role may.
 *
 * The indexes contain only keys. A list takes the keys of a list page from an index and reads the items from the table, so it never shows an
 * old version.
 */

/*
 * The families of keys, by the beginnings of partition keys, written as an IAM policy compares them (`StringLike`, where `*` stands for
 * anything). Every key is in exactly one family. The manifest (infra/table-rights.ts) says which families each function may touch.
 */

/** The families of the table's own partition keys. If the mode follows the first word of a key, each mode has a family of its own. */
export const TABLE_FAMILIES = [
  'ACCT#live#*',
  'ACCT#test#*',
  'ALOG#*',
  'ASK#*',
  'BIZ#*',
  'CHAL#*',
  'CHK#*',
  'CUST#*',
  'DAILY#*',
  'EVT#*',
  'HAND#biz_*',
  'HAND#whe_*',
  'HEALTH#*',
  'IDEM#*',
  'KEY#*',
  'LAST#*',
  'LEASE#recovery#*',
  'LEASE#requery#*',
  'LOGO#*',
  'MAIL#*',
  'MREF#*',
  'NTF#*',
  'PAY#live#*',
  'PAY#test#*',
  'PREF#live#*',
  'PROV#*',
  'RATE#*',
  'RECON#*',
  'SENT#*',
  'SES#*',
  'SGN#*',
  'SIGN#*',
  'TOT#*',
  'USED#closings#*',
  'USED#creations#*',
  'USED#expiries#*',
  'USED#page#*',
  'USED#payer_reports#*',
  'USED#requeries#*',
  'USR#*',
  'VA#*',
  'WHE#*',
] as const;
export type TableFamily = (typeof TABLE_FAMILIES)[number];

const COUNT = ['requests', 'ttl'] as const;
/**
 * Attributes for the entry in the due-work index, and for the consumer that leased the work. To change any other attribute, the item is
 * written anew.
 */
const DUE = ['gsi2sk', 'sentAs', 'leaseUntil', 'leasedBy'] as const;
const LEASED = ['leaseUntil', 'ttl'] as const;
/** The counts of a provider's health within a minute: landed payments in fourteen classes of the time that they took, and other counts. */
const HEALTH_COUNTS = [
  ...Array.from({ length: 14 }, (_, place) => `landed${place}`),
  ...['landedFor', 'opened', 'failed', 'failedFor', 'sentLanded', 'sentLost', 'ttl'],
];

/**
 * For some families, the only attributes that a role may update, besides the key. Counts and leases are written by updates only. So a role that
 * counts cannot add the attributes that put an item into a list. Of an API key only the copied profile is updated.
 */
export const UPDATED_ATTRIBUTES: { readonly [Family in TableFamily]?: readonly string[] } = {
  'CHK#*': DUE,
  'HAND#biz_*': COUNT,
  'HAND#whe_*': COUNT,
  'HEALTH#*': HEALTH_COUNTS,
  'KEY#*': ['businessDisplayName', 'businessIsRouted'],
  'LAST#*': ['usedAt', 'ttl'],
  'LEASE#recovery#*': LEASED,
  'LEASE#requery#*': LEASED,
  'NTF#*': DUE,
  'PAY#live#*': DUE,
  'RATE#*': COUNT,
  'RECON#*': DUE,
  'SENT#*': DUE,
  'SIGN#*': COUNT,
  'USED#closings#*': COUNT,
  'USED#creations#*': COUNT,
  'USED#expiries#*': COUNT,
  'USED#page#*': COUNT,
  'USED#payer_reports#*': COUNT,
  'USED#requeries#*': COUNT,
  'VA#*': DUE,
};

/** The families that only operators write and read, in the table and on gsi1. No function's role may touch them. */
export const OPERATORS_FAMILIES = ['AUDIT#*', 'AUDIT', 'ERASE#*'] as const;

/** The lists on gsi1. A list of a business has its id and mode between `BIZ#` and the kind of list. */
export const GSI1_FAMILIES = [
  'BIZ#*#CHK',
  'BIZ#*#EVT',
  'BIZ#*#VA',
  'BUSINESSES',
  'KEY#*',
  'OWNER#*',
  'PAYER#*',
  'STUCK',
  'UNMATCHED',
  'USR#*#SES',
  'WHE#*#EXHAUSTED',
  'WHE#*#PARKED',
] as const;
export type Gsi1Family = (typeof GSI1_FAMILIES)[number];

/** The shards of due work on gsi2. */
export const GSI2_FAMILIES = [
  'DUE#deliveries#*',
  'DUE#notices#*',
  'DUE#payments#*',
  'DUE#reviews#*',
  'DUE#summaries#*',
  'DUE#test_deliveries#*',
  'DUE#test_payments#*',
] as const;
export type Gsi2Family = (typeof GSI2_FAMILIES)[number];

/** The lists on gsi3. */
export const GSI3_FAMILIES = ['BIZ#*#PAY'] as const;
export type Gsi3Family = (typeof GSI3_FAMILIES)[number];

/*
 * How partition keys begin: the families of keys (keys.ts), written as an IAM policy compares them (`StringLike`, where `*` stands for
 * anything). Every key is in exactly one. The manifest (infra/table-rights.ts) says which of them each function may touch.
 */

/** The families of the table's own partition keys. Where a key begins with its mode, each mode has a family. */
export const TABLE_FAMILIES = [
  'ACCT#live#*',
  'ACCT#test#*',
  'ALOG#*',
  'ASK#*',
  'BIZ#*',
  'CHAL#*',
  'CHK#*',
  'CUST#*',
  'EVT#*',
  'HAND#biz_*',
  'HAND#whe_*',
  'IDEM#*',
  'KEY#*',
  'LEASE#recovery#*',
  'LEASE#requery#*',
  'MAIL#*',
  'MREF#*',
  'NTF#*',
  'PAY#live#*',
  'PAY#test#*',
  'PREF#live#*',
  'PROV#*',
  'RATE#*',
  'RECON#*',
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
const LEASED = ['leaseUntil', 'ttl'] as const;

/**
 * The attributes that an update may name, beside the key, in families where no role may update another. Counts and leases are only ever
 * updated, so nobody who counts can put an item into a list. Of an API key nobody updates anything but the copied display name.
 */
export const UPDATED_ATTRIBUTES: { readonly [Family in TableFamily]?: readonly string[] } = {
  'HAND#biz_*': COUNT,
  'HAND#whe_*': COUNT,
  'KEY#*': ['businessDisplayName'],
  'LEASE#recovery#*': LEASED,
  'LEASE#requery#*': LEASED,
  'RATE#*': COUNT,
  'SIGN#*': COUNT,
  'USED#closings#*': COUNT,
  'USED#creations#*': COUNT,
  'USED#expiries#*': COUNT,
  'USED#page#*': COUNT,
  'USED#payer_reports#*': COUNT,
  'USED#requeries#*': COUNT,
};

/** The families that operators alone write and read, in the table and on gsi1: no function's role may touch them. */
export const OPERATORS_FAMILIES = ['AUDIT#*', 'AUDIT', 'ERASE#*'] as const;

/** The lists on gsi1. Those of a business name it and its mode between `BIZ#` and the kind of list. */
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
  'DUE#test_deliveries#*',
  'DUE#test_payments#*',
] as const;
export type Gsi2Family = (typeof GSI2_FAMILIES)[number];

/** The lists on gsi3. */
export const GSI3_FAMILIES = ['BIZ#*#PAY'] as const;
export type Gsi3Family = (typeof GSI3_FAMILIES)[number];

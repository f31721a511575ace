/*
 * Every key of the one table. The `store/keys.ts` of the capability that owns an item spells its keys, and nothing else does: `…Key` makes
 * the key of an item of this list, `in…` its place in a list on gsi1, and `…Partition` the partition of such a list. A new kind of partition
 * key is a new family below.
 *
 * item                      pk                                    sk              gsi1 (a list, newest first)   gsi2 (due work)
 * business                  BIZ#<id>                              BIZ             BUSINESSES
 * logo of a business        LOGO#<id, made of its bytes>          LOGO
 * API key                   KEY#<sha256>                          KEY             KEY#<key id>
 * last use of an API key    LAST#<key id>                         LAST
 * webhook endpoint          WHE#<id>                              WHE
 * breaker of an endpoint    WHE#<id>                              BREAKER                                       canary, drain
 * virtual account           VA#<id>                               VA              BIZ#<id>#<mode>#VA            settle, if pending, opening or closing
 * customer's account        CUST#<biz>#<mode>#<e-mail hash>       VA#<id>
 * receiving account         ACCT#<mode>#<issuer>#<number>         ACCT            PAYER#<biz>#<mode>#<e-mail hash>, if of a checkout
 * payment account           ACCT#<mode>#<issuer>#<number>         OPENED#<opened at>#<reference>   as above
 * assigned reference        PREF#<mode>#<provider>#<reference>    PREF
 * checkout                  CHK#<reference>                       CHK             BIZ#<id>#<mode>#CHK           expiry, look-up, opening
 * unique merchant reference MREF#<biz>#<mode>#<reference>         MREF
 * checkout labelled with it MREF#<biz>#<mode>#<reference>         LABEL#<by>#<created at>#<reference>
 * payment                   PAY#<mode>#<provider>#<origin>        PAY             OWNER#<reference or id>       review
 *   on gsi3                 BIZ#<id>#<mode>#PAY                   <recorded at>#<payment id>#<outcome><kobo>[#<kobo kept>]
 * totals of a day           TOT#<biz>#<mode>                      <Lagos date>
 * unmatched money           PAY#<mode>#<provider>#<source>        PAY             UNMATCHED                     match again
 * raw notification          NTF#<provider>#<sha256>               NTF             STUCK, while it is stuck      look-up still due
 * list of reconciliation    RECON#<provider>#<pass>               RECON#<list>#<lists>                          next page, next comparison
 * breaker of a provider     PROV#<provider>                       BREAKER#<kind of calls>
 * counts of its health      HEALTH#<provider>                     MINUTE#<minute>
 * its health                HEALTH#<provider>                     STATE
 * "I've sent the money"     SENT#<provider>#<checkout reference>  SENT                                          look after five minutes
 * event                     EVT#<id>                              EVT             BIZ#<id>#<mode>#EVT
 * delivery                  EVT#<id>                              DLV#<endpoint>  WHE#<id>#PARKED, #EXHAUSTED   next attempt, lease, parked
 * attempt that failed       EVT#<id>                              ATT#<endpoint>#<number>
 * requests of a second      RATE#<key or address>                 RATE#<second>
 * used share of a quota USED#<work>#<provider>#<business>#<share> USED#<window>
 * uses of a payment page    USED#page#<checkout reference>        USED#<use>
 * uses of a limit           HAND#<endpoint, business or member>   HAND#<kind>#<window>
 * lease of a work           LEASE#<work>#<endpoint or checkout>   LEASE
 * stored answer, or a claim IDEM#<scope>                          IDEM
 * user                      USR#<id, made of the address>         USR
 * waiting sign-in           SGN#<hash of its token>               SGN
 * codes and mails of a window SIGN#<user, block of addresses, business> SIGN#<window>
 * waiting notice            MAIL#<id>                             MAIL                                          until it is mailed
 * daily summary             DAILY#<business>                      DAILY                                         next morning
 * session                   SES#<hash of its token>               SES             USR#<id>#SES
 * operator's change         AUDIT#<business, or stage>            LOG#<id>        AUDIT
 * entry of the audit log    ALOG#<business>                       LOG#<id>
 * draft of such an entry    ASK#<business>                        LOG#<id>
 * unfinished erasure        ERASE#<business>#<digest>             ERASE
 *
 * The operations command alone touches AUDIT#… and ERASE#…: no function's role may.
 *
 * All indexes project keys only: a list reads its page's items by key, so it never shows a stale one.
 */

/*
 * The families of keys, by the beginnings of partition keys, written as an IAM policy compares them (`StringLike`, where `*` stands for
 * anything). Every key is in exactly one family. The manifest (infra/table-rights.ts) says which families each function may touch.
 */

/** The families of the table's own partition keys. If a key begins with its mode, each mode has a family. */
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
/** The entry in the due-work index, and the consumer that has the work. All else of such an item changes only by writing it anew. */
const DUE = ['gsi2sk', 'sentAs', 'leaseUntil', 'leasedBy'] as const;
const LEASED = ['leaseUntil', 'ttl'] as const;
/** The counts of a provider's health within a minute: landings in fourteen classes, and others. */
const HEALTH_COUNTS = [
  ...Array.from({ length: 14 }, (_, place) => `landed${place}`),
  ...['landedFor', 'opened', 'failed', 'failedFor', 'sentLanded', 'sentLost', 'ttl'],
];

/**
 * The attributes that an update may name in addition to the key, for families in which no role may update any other attribute. Counts and
 * leases are only ever updated, so a role that counts cannot put an item into a list. Of an API key only the copied profile is updated.
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

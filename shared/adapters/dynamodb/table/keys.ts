import { encodeTime } from 'ulid';
import type { PageUse } from '#shared/domain/checkouts/page-uses.ts';
import { crc32 } from '#shared/domain/kernel/crc32.ts';
import type { Mode } from '#shared/domain/kernel/mode.ts';
import type { Tenant } from '#shared/domain/kernel/tenant.ts';
import type { Millis } from '#shared/domain/kernel/time.ts';
import { countedFrom, type Payment, type PaymentOwner, paymentOutcome } from '#shared/domain/money/payment.ts';
import type { ReconciliationPass } from '#shared/domain/money/reconciliation.ts';
import type { PaymentOrigin, SourceId } from '#shared/domain/money/source.ts';
import type { AllowedWork } from '#shared/domain/providers/allowance.ts';
import type { ProviderCalls, ProviderName } from '#shared/domain/providers/provider.ts';
import type { ByHand } from '#shared/domain/webhooks/allowance.ts';
import type { DeliveryState } from '#shared/domain/webhooks/delivery.ts';
import type { DueFamily, HighPriorityFamily } from '#shared/ports/sweeps.ts';

/*
 * Every key of the one table. Nothing else spells a key. A new kind of partition key is a new family in families.ts. `…Key` makes the key
 * of an item of this list, `in…` its place in a list on gsi1, and `…Of` the partition of such a list.
 *
 * item                      pk                                    sk              gsi1 (a list, newest first)   gsi2 (due work)
 * business                  BIZ#<id>                              BIZ             BUSINESSES
 * API key                   KEY#<sha256>                          KEY             KEY#<key id>
 * webhook endpoint          WHE#<id>                              WHE
 * its breaker               WHE#<id>                              BREAKER                                       canary, drain
 * virtual account           VA#<id>                               VA              BIZ#<id>#<mode>#VA            settle, if pending, opening or closing
 * customer's account        CUST#<biz>#<mode>#<e-mail hash>       VA#<id>
 * receiving account         ACCT#<mode>#<issuer>#<number>         ACCT            PAYER#<biz>#<mode>#<e-mail hash>, if of a checkout
 * payment account           ACCT#<mode>#<issuer>#<number>         OPENED#<opened at>#<reference>   the same
 * assigned reference        PREF#<mode>#<provider>#<reference>    PREF
 * checkout                  CHK#<reference>                       CHK             BIZ#<id>#<mode>#CHK           expiry, look-up, opening
 * merchant reference, held  MREF#<biz>#<mode>#<reference>         MREF
 * a checkout that bears it  MREF#<biz>#<mode>#<reference>         BEARER#<by>#<created at>#<reference>
 * payment                   PAY#<mode>#<provider>#<origin>        PAY             OWNER#<reference or id>       review
 *   on gsi3                 BIZ#<id>#<mode>#PAY                   <recorded at>#<payment id>#<outcome><kobo>[#<kobo kept>]
 * totals of a day           TOT#<biz>#<mode>                      <Lagos date>
 * unmatched money           PAY#<mode>#<provider>#<source>        PAY             UNMATCHED                     match again
 * raw notification          NTF#<provider>#<sha256>               NTF             STUCK, while it is stuck      look-up still due
 * reconciliation            RECON#<provider>#<pass>               RECON
 * provider's breaker        PROV#<provider>                       BREAKER#<kind of calls>
 * event                     EVT#<id>                              EVT             BIZ#<id>#<mode>#EVT
 * delivery                  EVT#<id>                              DLV#<endpoint>  WHE#<id>#PARKED, #EXHAUSTED   next attempt, lease, parked
 * attempt that failed       EVT#<id>                              ATT#<endpoint>#<number>
 * requests of a second      RATE#<key or address>                 RATE#<second>
 * used share of allowance   USED#<work>#<provider>#<business>#<share> USED#<window>
 * uses of a payer's page     USED#page#<checkout reference>         USED#<use>
 * by hand in a minute       HAND#<endpoint or business>           HAND#<kind>#<minute>
 * lease of a work           LEASE#<work>#<endpoint or checkout>   LEASE
 * stored answer, or a claim IDEM#<scope>                          IDEM
 * user                      USR#<id, made of the address>         USR
 * sign-in that waits        SGN#<hash of its token>               SGN
 * codes and mails of a window SIGN#<user, block of addresses, business> SIGN#<window>
 * notice that is to be mailed MAIL#<id>                       MAIL                                            until it is mailed
 * session                   SES#<hash of its token>               SES             USR#<id>#SES
 * operator's change         AUDIT#<business, or stage>            LOG#<id>        AUDIT
 * member's change           ALOG#<business>                      LOG#<id>
 * what a member asks for now ASK#<business>                      LOG#<id>
 * unfinished erasure        ERASE#<business>#<digest>             ERASE
 *
 * The operations command alone touches AUDIT#… and ERASE#…: no function's role may.
 *
 * All indexes project keys only: a list reads its page's items by key, so it never shows a stale one.
 */

/** The primary key of an item. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

const single = (kind: string, ...parts: string[]): Key => ({ pk: [kind, ...parts].join('#'), sk: kind });

export const businessKey = (id: string): Key => single('BIZ', id);
/** The partition of what operators changed at a business, or at the stage as a whole. */
export const auditPartition = (businessId: string | null): string => `AUDIT#${businessId ?? 'stage'}`;
export const operatorChangeKey = (businessId: string | null, id: string): Key => ({
  pk: auditPartition(businessId),
  sk: `LOG#${id}`,
});
/** The partition of what the members of a business changed. */
export const memberChangesOf = (businessId: string): string => `ALOG#${businessId}`;
/** The partition of what members of a business have asked for and what is not done yet. */
export const askedOf = (businessId: string): string => `ASK#${businessId}`;
export const askedKey = (businessId: string, id: string): Key => ({ pk: askedOf(businessId), sk: `LOG#${id}` });
export const memberChangeKey = (businessId: string, id: string): Key => ({
  pk: memberChangesOf(businessId),
  sk: `LOG#${id}`,
});
/** How far the erasure of a payer has come; the digest says whose. */
export const erasureKey = (businessId: string, digest: string): Key => single('ERASE', businessId, digest);
export const userKey = (id: string): Key => single('USR', id);
export const challengeKey = (hash: string): Key => single('CHAL', hash);
export const signInKey = (tokenHash: string): Key => single('SGN', tokenHash);
export const noticeKey = (id: string): Key => single('MAIL', id);
export const sessionKey = (tokenHash: string): Key => single('SES', tokenHash);
/** How many codes a user, or a block of addresses, asked for in a window, or how often a business had people mailed. */
export const codesKey = (bucket: string, length: Millis, window: number): Key => ({
  pk: `SIGN#${bucket}`,
  sk: `SIGN#${length}#${window}`,
});
export const apiKeyKey = (hash: string): Key => single('KEY', hash);
export const endpointKey = (id: string): Key => single('WHE', id);
export const breakerKey = (endpointId: string): Key => ({ pk: `WHE#${endpointId}`, sk: 'BREAKER' });
export const virtualAccountKey = (id: string): Key => single('VA', id);
export const checkoutKey = (reference: string): Key => single('CHK', reference);
export const eventKey = (id: string): Key => single('EVT', id);
/** The partition of an event, its deliveries and their attempts. */
export const eventPartition = (id: string): string => eventKey(id).pk;
export const isEventKey = (sk: string): boolean => sk === 'EVT';
/** How the sort key of every delivery begins. */
export const DELIVERY_SORT = 'DLV#';
export const isDeliveryKey = (sk: string): boolean => sk.startsWith(DELIVERY_SORT);
export const deliveryKey = (eventId: string, endpointId: string): Key => ({
  pk: `EVT#${eventId}`,
  sk: `${DELIVERY_SORT}${endpointId}`,
});
const ATTEMPT_DIGITS = 6;
/** How the sort keys of the attempts at an endpoint begin. */
export const attemptsAt = (endpointId: string): string => `ATT#${endpointId}#`;
export const attemptKey = (eventId: string, endpointId: string, number: number): Key => ({
  pk: `EVT#${eventId}`,
  sk: `${attemptsAt(endpointId)}${String(number).padStart(ATTEMPT_DIGITS, '0')}`,
});
export const answerKey = (scope: string): Key => single('IDEM', scope);
export const merchantReferenceKey = (tenant: Tenant, merchantReference: string): Key =>
  single('MREF', tenant.businessId, tenant.mode, merchantReference);
/** Where the bearers of a merchant reference end: its holder sorts behind them. */
export const BEARERS_END = 'MREF';
/** The parts of an id that distinguish one payment from all others. No code reads them back from a key. */
const partsOfPayment = (id: PaymentOrigin | SourceId): readonly (string | number)[] => {
  switch (id.kind) {
    case 'transfer':
      return [id.transferId, ...(id.reinstatements === undefined ? [] : [id.reinstatements])];
    case 'rejection':
      return [id.transaction, id.rejectionId];
    case 'running_total':
      return [id.reference];
    case 'part':
      return [id.reference, id.reached, id.falls];
    case 'returned':
      return [id.reference, id.returned];
    case 'rest':
      return [id.transferId, id.refunded, ...(id.reinstatements === undefined ? [] : [id.reinstatements])];
  }
};

/** A payment, or unmatched money: a transfer is kept under the key that its payment will have. */
export const paymentKey = (mode: Mode, provider: ProviderName, id: PaymentOrigin | SourceId): Key => {
  // Providers' ids may hold anything, our separator among it.
  const parts = partsOfPayment(id).map((part) => encodeURIComponent(part));
  return single('PAY', mode, provider, id.kind, ...parts);
};
/** The payment or the unmatched money that an entry of the due-work index names. */
export const duePaymentKey = (pk: string): Key => ({ pk, sk: 'PAY' });
/** The checkout that operators assigned a running total to, by the provider and its reference. */
export const assignedReferenceKey = (provider: ProviderName, reference: string): Key =>
  single('PREF', 'live', provider, reference);
/** How many requests a key or an address made in a window. */
export const rateKey = (bucket: string, window: number): Key => ({ pk: `RATE#${bucket}`, sk: `RATE#${window}` });
/** How much of its allowance at a provider a share of a business used in a window: its servers, its browsers, or one address of these. */
export const usedAllowanceKey = (
  share: { work: AllowedWork; provider: ProviderName; businessId: string; bucket: string },
  window: number,
): Key => ({
  pk: ['USED', share.work, share.provider, share.businessId, share.bucket].join('#'),
  sk: `USED#${window}`,
});
/** How often a checkout's page was used for something. */
export const pageUseKey = (reference: string, use: PageUse): Key => ({
  pk: `USED#page#${reference}`,
  sk: `USED#${use}`,
});
/** How much an endpoint was sent by hand, or a business started, in a window. */
export const allowanceKey = (id: string, kind: ByHand, window: number): Key => ({
  pk: `HAND#${id}`,
  sk: `HAND#${kind}#${window}`,
});
/** The lease of an endpoint's recovery, or of a checkout's requery. */
export const leaseKey = (work: 'recovery' | 'requery', id: string): Key => single('LEASE', work, id);
export const notificationKey = ({ provider, hash }: { provider: ProviderName; hash: string }): Key =>
  single('NTF', provider, hash);
export const reconciliationKey = (provider: ProviderName, pass: ReconciliationPass): Key =>
  single('RECON', provider, pass);
export const providerBreakerKey = (provider: ProviderName, calls: ProviderCalls): Key => ({
  pk: `PROV#${provider}`,
  sk: `BREAKER#${calls}`,
});
export const customerPartition = (tenant: Tenant, emailHash: string): string =>
  `CUST#${tenant.businessId}#${tenant.mode}#${emailHash}`;
export const customerAccountKey = (tenant: Tenant, emailHash: string, id: string): Key => ({
  pk: customerPartition(tenant, emailHash),
  sk: `VA#${id}`,
});
/** The sort key of the item that reserves an account number. */
export const RESERVED = 'ACCT';
/** How the sort keys of the checkouts begin that an account number was opened for. */
export const OPENED = 'OPENED#';
/**
 * One sandbox bank issues all test numbers, whatever the provider, so they are unique across providers, but for a checkout whose provider is
 * slow: that one reserves nothing.
 */
export const receivingAccountKey = (mode: Mode, provider: ProviderName, accountNumber: string): Key => ({
  ...single('ACCT', mode, mode === 'test' ? 'sandbox' : provider, accountNumber),
  sk: RESERVED,
});

const POSITION_DIGITS = 15;
const sortable = (at: Millis): string => String(at).padStart(POSITION_DIGITS, '0');

/**
 * The checkout that a payment account was opened for by a provider, so that it is found by number. Providers recycle these numbers,
 * so a number can have many items, the newest last. The prefix sorts after `ACCT` and differs from `CHK`, since the item is no checkout.
 */
export const paymentAccountKey = (
  mode: Mode,
  provider: ProviderName,
  accountNumber: string,
  at: Millis,
  reference: string,
): Key => ({
  pk: receivingAccountKey(mode, provider, accountNumber).pk,
  sk: `${OPENED}${sortable(at)}#${reference}`,
});

/** A checkout that bears a merchant reference. Newest first, those made by servers come before those of browsers. */
export const bearerKey = (
  tenant: Tenant,
  merchantReference: string,
  { isMadeByServer, at, reference }: { isMadeByServer: boolean; at: Millis; reference: string },
): Key => ({
  pk: merchantReferenceKey(tenant, merchantReference).pk,
  sk: `BEARER#${isMadeByServer ? 'SERVER' : 'BROWSER'}#${sortable(at)}#${reference}`,
});
/** The checkout that an item of a bearer, or a place in a payer's list, points to. */
export const checkoutOfPointer = ({ sk }: Pick<Key, 'sk'>): Key => checkoutKey(referenceAtEnd(sk));
/** The reference of a checkout that a sort key or a position ends in. */
export const referenceAtEnd = (position: string): string => position.slice(position.lastIndexOf('#') + 1);
/** The id of the account that a pointer names. */
export const accountOfPointer = ({ sk }: Pick<Key, 'sk'>): string => sk.slice('VA#'.length);
/** Whether an item does nothing but find a customer's account. */
export const isCustomerPointer = ({ pk }: Pick<Key, 'pk'>): boolean => pk.startsWith('CUST#');
/** The attributes that tell the owner of an item: its key, and its place on gsi1 if it has one. */
type Located = Key & { readonly gsi1pk?: unknown; readonly gsi1sk?: unknown };
/** The business of an item that is found by the hash of an address, and what that leads to; undefined for any other item. */
export const addressPointerOf = (item: Located): { readonly businessId: string; readonly to: Key } | undefined => {
  const [, customersOf] = /^CUST#([^#]+)#/.exec(item.pk) ?? [];
  if (customersOf !== undefined) return { businessId: customersOf, to: virtualAccountKey(accountOfPointer(item)) };
  const [, payersOf] = /^PAYER#([^#]+)#/.exec(String(item.gsi1pk)) ?? [];
  return payersOf === undefined
    ? undefined
    : { businessId: payersOf, to: checkoutOfPointer({ sk: String(item.gsi1sk) }) };
};

/** The kinds of items that may identify a payer, by their sort keys. */
const PERSONAL = {
  CHK: 'checkout',
  VA: 'virtual_account',
  PAY: 'payment',
  EVT: 'event',
  IDEM: 'answer',
  NTF: 'notification',
} as const;
/** The kind of an item that may identify a payer; undefined for any other item. */
export const personalKind = (item: Located): 'pointer' | (typeof PERSONAL)[keyof typeof PERSONAL] | undefined =>
  addressPointerOf(item)
    ? 'pointer'
    : (PERSONAL as Partial<Record<string, (typeof PERSONAL)[keyof typeof PERSONAL]>>)[item.sk];

/** A place in a list on gsi1, newest last as DynamoDB sorts. */
const listed = (gsi1pk: string, at: Millis, id: string) => ({ gsi1pk, gsi1sk: `${sortable(at)}#${id}` });

/** Where the part of a list begins that is no older than a moment. */
export const listedFrom = (at: Millis): string => sortable(Math.max(0, at));

export const BUSINESSES = 'BUSINESSES';
export const checkoutsOf = (tenant: Tenant): string => `BIZ#${tenant.businessId}#${tenant.mode}#CHK`;
export const virtualAccountsOf = (tenant: Tenant): string => `BIZ#${tenant.businessId}#${tenant.mode}#VA`;
/** The list of a payer's checkouts. */
export const checkoutsOfPayer = (tenant: Tenant, emailHash: string): string =>
  `PAYER#${tenant.businessId}#${tenant.mode}#${emailHash}`;
export const paymentsOf = (owner: PaymentOwner): string =>
  `OWNER#${owner.kind === 'checkout' ? owner.reference : owner.id}`;
export const eventsOf = (tenant: Tenant): string => `BIZ#${tenant.businessId}#${tenant.mode}#EVT`;
/** Every unmatched payment, whatever the provider: a list that is short, or alarmed. */
export const UNMATCHED = 'UNMATCHED';
/** Every notification that is stuck, whatever the provider: a list that is short, or alarmed. */
export const STUCK = 'STUCK';
/** Every change by an operator, whatever it concerns. */
export const AUDIT = 'AUDIT';
/** The sessions of a user. */
export const sessionsOf = (userId: string): string => `USR#${userId}#SES`;
export const apiKeyById = (id: string): string => `KEY#${id}`;

export const inBusinesses = (at: Millis, id: string) => listed(BUSINESSES, at, id);
export const inCheckouts = (tenant: Tenant, at: Millis, reference: string) =>
  listed(checkoutsOf(tenant), at, reference);
/** The place of a checkout's account in the list of its payer's checkouts. The checkout itself is written anew by each landing, its account never. */
export const inCheckoutsOfPayer = (tenant: Tenant, emailHash: string, at: Millis, reference: string) =>
  listed(checkoutsOfPayer(tenant, emailHash), at, reference);
export const inVirtualAccounts = (tenant: Tenant, at: Millis, id: string) => listed(virtualAccountsOf(tenant), at, id);
export const inPayments = (owner: PaymentOwner, at: Millis, id: string) => listed(paymentsOf(owner), at, id);
export const inUnmatched = (at: Millis, id: string) => listed(UNMATCHED, at, id);
export const inStuck = (at: Millis, { provider, hash }: { provider: ProviderName; hash: string }) =>
  listed(STUCK, at, `${provider}#${hash}`);
export const inEvents = (tenant: Tenant, at: Millis, id: string) => listed(eventsOf(tenant), at, id);
export const inAudit = (at: Millis, id: string) => listed(AUDIT, at, id);
export const inSessions = (userId: string, at: Millis, id: string) => listed(sessionsOf(userId), at, id);
export const inApiKeys = (id: string) => ({ gsi1pk: apiKeyById(id), gsi1sk: id });

/** The list of an endpoint's parked or exhausted deliveries; others are on no list. Event ids sort by time. */
export const waitingFor = (endpointId: string, state: 'parked' | 'exhausted'): string =>
  `WHE#${endpointId}#${state.toUpperCase()}`;
export const inWaiting = (eventId: string, endpointId: string, state: DeliveryState) =>
  state === 'parked' || state === 'exhausted'
    ? { gsi1pk: waitingFor(endpointId, state), gsi1sk: eventId }
    : { gsi1pk: null, gsi1sk: null };

const ULID_TIME_DIGITS = 10;
const ULID_LENGTH = 26;
/** The lowest event id of a moment: a ULID begins with its time. */
export const firstEventIdAt = (at: Millis): string =>
  `evt_${encodeTime(Math.max(0, at), ULID_TIME_DIGITS).padEnd(ULID_LENGTH, '0')}`;

/** The partition of one shard of a family of the due-work index. */
export const duePartition = (family: DueFamily, shard: number): string => `DUE#${family}#${shard}`;
/** The family of due work in a mode. */
export const dueFamily = (work: HighPriorityFamily, mode: Mode): DueFamily => (mode === 'live' ? work : `test_${work}`);
/** The list of all payments of a business in a mode, on gsi3. */
export const paymentsOfBusiness = (tenant: Tenant): string => `BIZ#${tenant.businessId}#${tenant.mode}#PAY`;
const OUTCOME_LETTERS = { accepted: 'A', rejected: 'R', reversed: 'V' } as const;
/** A payment, as far as its sort key on gsi3 tells it. */
export interface PaymentEntry extends Pick<Payment, 'id' | 'outcome'> {
  readonly recordedAt: Millis;
  readonly amount: number;
  /** Kobo that the provider kept of a reversed payment. */
  readonly kept: number;
}
/** A payment's place among all payments of its business. Outcome and amount stand in the key, so totals are summed without reading an item. */
export const inPaymentsOfBusiness = (payment: Payment) => {
  const { id, outcome, amount, kept } = payment;
  const ofOutcome = `${OUTCOME_LETTERS[outcome]}${sortable(amount)}`;
  return {
    gsi3pk: paymentsOfBusiness(payment),
    gsi3sk: [positionOfPayment(countedFrom(payment), id), ofOutcome, ...(kept ? [sortable(kept)] : [])].join('#'),
  };
};
/** Where a payment stands in the list of its business: just before its entry. */
export const positionOfPayment = (recordedAt: Millis, id: string): string => `${sortable(recordedAt)}#${id}`;
/** The same position, of an entry by its sort key on gsi3. */
export const positionOfEntry = (gsi3sk: string): string => gsi3sk.split('#', 2).join('#');
/** The entry that a sort key on gsi3 is; undefined for an outcome that this release does not know. */
export const paymentEntryOf = (gsi3sk: string): PaymentEntry | undefined => {
  const [recordedAt = '', id = '', ofOutcome = '', kept = '0'] = gsi3sk.split('#');
  const outcome = paymentOutcome.options.find((one) => OUTCOME_LETTERS[one] === ofOutcome[0]);
  if (!outcome) return undefined;
  return { id, outcome, recordedAt: Number(recordedAt), amount: Number(ofOutcome.slice(1)), kept: Number(kept) };
};
/** Behind every sort key that begins with a time. */
export const AFTER_ALL_TIMES = '~';

/** The totals of a day of Lagos. */
export const dailyTotalKey = (tenant: Tenant, date: string): Key => ({ pk: dailyTotalsOf(tenant), sk: date });
export const dailyTotalsOf = (tenant: Tenant): string => `TOT#${tenant.businessId}#${tenant.mode}`;

/** The highest sort key of what is due at a moment. */
export const dueUntil = (now: Millis): string => `${sortable(now)}~`;
/** An item's keys in the due-work index; empty while nothing is due. */
export const inDueWork = ({ pk, sk }: Key, family: DueFamily, dueAt: Millis | null, shards: number) =>
  dueAt === null ? {} : { gsi2pk: duePartition(family, crc32(pk) % shards), gsi2sk: `${sortable(dueAt)}#${pk}#${sk}` };
/** When an entry of the due-work index is due. */
export const dueAtOf = (gsi2sk: string): Millis => Number(gsi2sk.slice(0, POSITION_DIGITS));

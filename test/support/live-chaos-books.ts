import type { Item } from '#shared/adapters/dynamodb/table.ts';
import { referenceOfAttempt } from '#shared/domain/attempt-reference.ts';
import { type Checkout, checkout } from '#shared/domain/checkout.ts';
import { delivery } from '#shared/domain/delivery.ts';
import { event } from '#shared/domain/event.ts';
import { type Payment, payment } from '#shared/domain/payment.ts';
import type { ProviderName } from '#shared/domain/provider.ts';
import type { ReportedTransfer } from '#shared/domain/provider-report.ts';
import { virtualAccount } from '#shared/domain/virtual-account.ts';
import type { Twin } from './twin/twin.ts';

/** A transfer that a test has made: to whose account, how much, and what the provider kept or keeps by now. Kobo. */
export interface Made {
  readonly transferId: string;
  readonly provider: ProviderName;
  readonly reference: string;
  readonly amount: number;
  kept: number;
  /** Some of it went back after it was kept. */
  fell: boolean;
}

const toKobo = (naira: number | undefined): number => Math.round((naira ?? 0) * 100);
const sum = (amounts: readonly number[]): number => amounts.reduce((total, one) => total + one, 0);
const ofKind = (items: readonly Item[], sk: string): readonly Item[] => items.filter((item) => item.sk === sk);

/** One name for an owner, whichever attempt's reference and whatever case of letters a provider has it under. */
export const ownerOf = (reference: string): string => referenceOfAttempt(reference).toLowerCase();
const ownerOfPayment = ({ owner }: Payment): string => ownerOf(owner.kind === 'checkout' ? owner.reference : owner.id);

/** Everything that a table holds, as entities. */
export const booksOf = (items: readonly Item[]) => ({
  payments: ofKind(items, 'PAY')
    .filter(({ unmatched }) => !unmatched)
    .map((item) => payment.parse(item)),
  unmatched: ofKind(items, 'PAY').filter(({ unmatched }) => unmatched),
  checkouts: ofKind(items, 'CHK').flatMap((item) => (item.status === 'opening' ? [] : [checkout.parse(item)])),
  accounts: ofKind(items, 'VA').flatMap((item) => (item.status === 'opening' ? [] : [virtualAccount.parse(item)])),
  opening: items.filter(({ status }) => status === 'opening'),
  events: ofKind(items, 'EVT').map((item) => event.parse(item)),
  deliveries: items.filter(({ sk }) => String(sk).startsWith('DLV#')).map((item) => delivery.parse(item)),
});
export type Books = ReturnType<typeof booksOf>;

/** What does not agree between our books and what the twin keeps: to the kobo for each owner, each transfer once. */
export const moneyProblems = (books: Books, twin: Twin['books'], made: readonly Made[]): readonly string[] => {
  const problems = books.unmatched.map(({ transferId }) => `still unmatched: ${transferId}`);
  const accepted = books.payments.filter(({ outcome }) => outcome === 'accepted');
  const credited = sum(accepted.map(({ amount }) => amount));
  if (credited !== twin.kept()) problems.push(`credited ${credited} kobo of ${twin.kept()}`);

  const byOwner = Map.groupBy(books.payments, ownerOfPayment);
  const madeFor = Map.groupBy(made, ({ reference }) => ownerOf(reference));
  const references = new Set(twin.accounts().map(({ reference }) => reference.toLowerCase()));
  const spelled = new Map(twin.accounts().map(({ reference }) => [reference.toLowerCase(), reference]));
  const keptFor = new Map<string, number>();
  for (const reference of references) {
    const owner = ownerOf(spelled.get(reference) ?? reference);
    keptFor.set(owner, (keptFor.get(owner) ?? 0) + twin.keptFor(reference));
  }
  for (const [owner, kept] of keptFor) {
    const payments = byOwner.get(owner) ?? [];
    const amounts = payments.filter(({ outcome }) => outcome === 'accepted').map(({ amount }) => Number(amount));
    if (sum(amounts) !== kept) problems.push(`${owner}: credited ${sum(amounts)} kobo of ${kept}`);
    const left = [...amounts];
    for (const transfer of (madeFor.get(owner) ?? []).filter((one) => one.kept > 0)) {
      const at = left.indexOf(transfer.kept);
      if (at === -1) problems.push(`${owner}: no payment of ${transfer.kept} kobo`);
      else left.splice(at, 1);
    }
  }
  for (const owner of byOwner.keys()) {
    if (!keptFor.has(owner)) problems.push(`${owner}: payments without an account at a provider`);
  }
  return problems;
};

/** How providers tell what went back. */
export interface SentBack {
  /** Rejections that reached us: Paystack and Monnify tell them by notification only, and one that got lost is told by nobody. */
  readonly heard: readonly ReportedTransfer[];
  /** What Korapay's look-up shows of each reference's money by now, in kobo. */
  readonly shown: ReadonlyMap<string, number>;
}

/** By how much each checkout's sum has fallen in all, as its events tell it. Kobo. */
const fallsOf = (books: Books): ReadonlyMap<string, number> => {
  const told = books.events
    .map(({ type, body }) => ({ type, data: (JSON.parse(body) as { data: Told }).data }))
    .filter(({ data }) => data.reference !== undefined);
  const sumAt = new Map(told.map(({ data }) => [`${data.reference} ${data.version}`, toKobo(data.paid_amount)]));
  const falls = new Map<string, number>();
  for (const { type, data } of told) {
    if (type !== 'checkout.payment_reversed') continue;
    const before = sumAt.get(`${data.reference} ${(data.version ?? 0) - 1}`) ?? 0;
    const owner = ownerOf(data.reference ?? '');
    falls.set(owner, (falls.get(owner) ?? 0) + before - toKobo(data.paid_amount));
  }
  return falls;
};

/** What went back and was not told, or was told and did not go back: each rejection once, each fall to the kobo. */
export const sentBackProblems = (
  books: Books,
  twin: Twin['books'],
  made: readonly Made[],
  { heard, shown }: SentBack,
): readonly string[] => {
  const problems: string[] = [];
  const byOwner = Map.groupBy(books.payments, ownerOfPayment);
  const heardOf = Map.groupBy(heard, ({ payee }) => ownerOf(payee.by === 'our_reference' ? payee.reference : ''));
  const falls = fallsOf(books);
  for (const [owner, accounts] of Map.groupBy(twin.accounts(), ({ reference }) => ownerOf(reference))) {
    const payments = byOwner.get(owner) ?? [];
    const rejected = payments.filter(({ outcome }) => outcome === 'rejected');
    if (accounts.some(({ provider, kind }) => provider === 'korapay' && kind === 'payment')) {
      const told = sum(rejected.map(({ amount }) => amount)) + (falls.get(owner) ?? 0);
      const back = (reference: string): number =>
        sum(made.filter((one) => one.reference === reference).map((one) => one.amount - one.kept));
      const least = sum(accounts.map(({ reference }) => shown.get(reference) ?? 0));
      // Korapay shows what went back only while its last transfer did, and never what came too late: of those references all that went back is a bound.
      const most = sum(accounts.map(({ reference }) => shown.get(reference) || back(reference)));
      if (told < least || told > most) problems.push(`${owner}: ${told} kobo told as gone back of ${least} to ${most}`);
      continue;
    }
    const [is, right] = [rejected, heardOf.get(owner) ?? []].map((all) => [
      ...new Set(all.map((one) => one.transferId)),
    ]);
    if (rejected.length !== is?.length || String(is?.toSorted()) !== String(right?.toSorted())) {
      problems.push(`${owner}: rejected ${is} of ${right}`);
    }
    if (payments.some(({ outcome }) => outcome === 'reversed')) problems.push(`${owner}: reversed, and nothing fell`);
  }
  return problems;
};

/** The status that a checkout must have once nothing is to come any more. Korapay takes what it keeps as complete. */
const rightStatus = (one: Checkout, paid: number): Checkout['status'] => {
  if (paid >= one.amount || (one.provider === 'korapay' && paid > 0)) return 'paid';
  return paid > 0 ? 'underpaid' : 'expired';
};

/** Checkouts whose sum or status does not follow from their payments. */
export const checkoutProblems = ({ checkouts, payments, opening }: Books): readonly string[] => {
  const problems = opening.map(({ pk }) => `still opening: ${pk}`);
  const byOwner = Map.groupBy(
    payments.filter(({ outcome }) => outcome === 'accepted'),
    ownerOfPayment,
  );
  for (const one of checkouts) {
    const paid = sum((byOwner.get(ownerOf(one.reference)) ?? []).map(({ amount }) => amount));
    if (one.paidAmount !== paid) problems.push(`${one.reference}: says ${one.paidAmount} kobo of ${paid}`);
    const right = rightStatus(one, paid);
    if (one.status !== right) problems.push(`${one.reference} at ${one.provider}: ${one.status} instead of ${right}`);
  }
  return problems;
};

/** What an event tells, as far as this test compares it. Naira. */
interface Told {
  readonly reference?: string;
  readonly version?: number;
  readonly paid_amount?: number;
  readonly payment?: { readonly id: string; readonly amount: number };
  readonly payments?: readonly { readonly id: string; readonly amount: number; readonly outcome: string }[];
}

/** Changes that were not announced, or twice, or with other amounts; and events without their one delivery. */
export const announcementProblems = (
  books: Books,
  endpointOf: (businessId: string) => string | undefined,
): readonly string[] => {
  const problems: string[] = [];
  const told = books.events.map(({ type, businessId, body }) => ({
    type,
    businessId,
    data: (JSON.parse(body) as { data: Told }).data,
  }));
  const byPayment = Map.groupBy(
    told.flatMap(({ type, businessId, data }) => {
      // Of a checkout's payments the newest is what the event is about, unless time alone changed it.
      const newest = type === 'checkout.expired' ? undefined : (data.payment ?? data.payments?.[0]);
      return newest ? [{ type, businessId, ...newest }] : [];
    }),
    ({ id }) => id,
  );
  for (const { id, amount, outcome, businessId, owner } of books.payments) {
    const events = byPayment.get(id) ?? [];
    const [one] = events;
    if (events.length !== 1 || !one) problems.push(`${id}: told by ${events.length} events`);
    else if (Math.round(one.amount * 100) !== amount) problems.push(`${id}: an event tells ${one.amount} naira`);
    else if (one.businessId !== businessId) problems.push(`${id}: told to ${one.businessId}`);
    else if ((one.type === 'checkout.payment_rejected') !== (outcome === 'rejected'))
      problems.push(`${id}: ${one.type}`);
    else if ((one.type === 'virtual_account.payment_received') !== (owner.kind === 'virtual_account'))
      problems.push(`${id}: ${one.type}`);
  }
  const byCheckout = Map.groupBy(told, ({ data }) => data.reference ?? '');
  for (const { reference, version, status } of books.checkouts) {
    const events = byCheckout.get(reference) ?? [];
    const versions = events.map(({ data }) => data.version ?? 0).toSorted((a, b) => a - b);
    // The ones before were its request's own; a request that went on after another has used up some.
    const last = Array.from({ length: versions.length }, (_, i) => version - versions.length + 1 + i);
    if (String(versions) !== String(last)) problems.push(`${reference}: versions ${versions} told of ${version}`);
    const isToldExpired = events.some(({ type }) => type === 'checkout.expired');
    if (status === 'expired' && !isToldExpired) problems.push(`${reference}: expired untold`);
  }
  const byEvent = Map.groupBy(books.deliveries, ({ eventId }) => eventId);
  for (const { id, businessId } of books.events) {
    const endpoints = (byEvent.get(id) ?? []).map(({ endpointId }) => endpointId);
    if (String(endpoints) !== String(endpointOf(businessId))) problems.push(`${id}: deliveries to ${endpoints}`);
  }
  if (books.deliveries.length !== books.events.length) problems.push('deliveries without an event');
  return problems;
};

import type { Simulator, Transfer } from '#infra/local/simulator/simulator.ts';
import { operatorChange } from '#shared/businesses/domain/operator-change.ts';
import { findReportedAttempt, isForeignReference } from '#shared/checkouts/domain/attempt.ts';
import { type Checkout, checkout } from '#shared/checkouts/domain/checkout.ts';
import { getOwnerId, type Payment, payment } from '#shared/payments/domain/payment.ts';
import { unmatchedPayment } from '#shared/payments/domain/unmatched-payment.ts';
import type { Item } from '#shared/platform/table/table.ts';
import { toCheckoutReference } from '#shared/providers/domain/attempt-reference.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { isReturned, type ReportedRejection, toSourceId } from '#shared/providers/domain/report.ts';
import type { PaymentOrigin, SourceId } from '#shared/providers/domain/source.ts';
import { virtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';
import { delivery } from '#shared/webhooks/domain/delivery.ts';
import { event } from '#shared/webhooks/domain/event.ts';

/* Compares our books with the simulator's. All amounts are kobo. */

export const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
const formatSorted = (amounts: readonly number[]): string => String(amounts.toSorted((a, b) => a - b));
const selectKind = (items: readonly Item[], sk: string): readonly Item[] => items.filter((item) => item.sk === sk);

const readCheckouts = (items: readonly Item[]): readonly Checkout[] =>
  selectKind(items, 'CHK').flatMap((item) => (item.status === 'opening' ? [] : [checkout.parse(item)]));

/** Reads all items of a table as entities. Money that was returned before it had an owner is left out: only a trace of it is stored. */
export const readBooks = (items: readonly Item[]) => ({
  payments: selectKind(items, 'PAY')
    .filter(({ unmatched }) => !unmatched)
    .map((item) => payment.parse(item)),
  unmatched: selectKind(items, 'PAY')
    .filter(({ unmatched }) => unmatched)
    .map((item) => unmatchedPayment.parse(item))
    .filter(({ money }) => !isReturned(money)),
  checkouts: readCheckouts(items).filter(({ mode }) => mode === 'live'),
  testCheckouts: readCheckouts(items).filter(({ mode }) => mode === 'test'),
  accounts: selectKind(items, 'VA').flatMap((item) => (item.status === 'opening' ? [] : [virtualAccount.parse(item)])),
  opening: items.filter(({ status }) => status === 'opening'),
  events: selectKind(items, 'EVT')
    .map((item) => event.parse(item))
    .filter(({ mode }) => mode === 'live'),
  deliveries: items.filter(({ sk }) => String(sk).startsWith('DLV#')).map((item) => delivery.parse(item)),
  changes: items.filter(({ sk }) => String(sk).startsWith('LOG#')).map((item) => operatorChange.parse(item)),
});
export type Books = ReturnType<typeof readBooks>;

/** Makes the key of an owner. It is the same for the references of all attempts, in any letter case. */
const toOwnerKey = (reference: string): string => toCheckoutReference(reference).toLowerCase();
/** Finds the owner of money under a reference. A checkout that has not used the reference at that provider owns none of the money. */
const findOwnerKey = (
  { checkouts, accounts }: Pick<Books, 'checkouts' | 'accounts'>,
  provider: ProviderName,
  reference: string,
): string => {
  const checkout = checkouts.find((candidate) => candidate.reference === toCheckoutReference(reference));
  const account = accounts.find((candidate) => toOwnerKey(candidate.id) === toOwnerKey(reference));
  const isForeign = checkout
    ? isForeignReference(provider, checkout, reference)
    : account && account.provider !== provider;
  if (isForeign) return `${provider} ${reference.toLowerCase()}`;
  return checkout && !findReportedAttempt(checkout, provider, reference)
    ? reference.toLowerCase()
    : toOwnerKey(reference);
};
const readOwnerKey = ({ owner }: Payment): string => toOwnerKey(getOwnerId(owner));

/** The assignments of unmatched money by operators. `recorded`: those in the audit log. `done`: those whose commands succeeded. */
export interface Assignments {
  readonly recorded: readonly Assignment[];
  readonly done: readonly Assignment[];
}
export interface Assignment {
  /** The key of the money's source. */
  readonly source: string;
  readonly to: string;
}

/** A rejection and the provider that reported it. */
export type ProviderRejection = ReportedRejection & { readonly provider: ProviderName };

/** The facts from outside our books, and the actions of operators. */
export interface Evidence {
  readonly simulator: Simulator['books'];
  /** Rejections that reached us. Paystack and Monnify report them only by notification, and do not repeat a lost notification. */
  readonly reportedRejections: readonly ProviderRejection[];
  /** The money of each reference that Korapay's look-up currently shows as returned. */
  readonly returnedAtKorapay: ReadonlyMap<string, number>;
  readonly assigned: Assignments;
}

/**
 * Makes the key of a source. All money of a source has one owner. A source is a transfer under the provider's id, a cumulative report
 * under a reference, or a rejection. Two providers may use the same reference.
 */
export const toSourceKey = (provider: ProviderName, id: PaymentOrigin | SourceId): string => {
  if (id.kind === 'transfer' || id.kind === 'rest') return `${provider} ${id.transferId}`;
  return `${provider} ${id.kind === 'rejection' ? `${id.transaction} ${id.rejectionId}` : id.reference}`;
};
const findReportKind = ({ account }: Transfer): 'as a total' | 'by itself' =>
  account.kind === 'payment' && account.provider !== 'paystack' ? 'as a total' : 'by itself';
const toTransferSourceKey = (transfer: Transfer): string | null => {
  const id = findReportKind(transfer) === 'as a total' ? transfer.account.reference : transfer.id;
  return id === null ? null : `${transfer.account.provider} ${id}`;
};

interface SourceMoney {
  /** The key of the source. */
  readonly name: string;
  /** The owner of the account at the provider. */
  readonly owner: string;
  readonly account: Transfer['account'];
  readonly transfers: readonly Transfer[];
  readonly payments: readonly Payment[];
}

/** Groups by source all transfers that may be reported, with our payments of each source. */
const groupBySource = (books: Books, simulator: Simulator['books']): readonly SourceMoney[] => {
  const payments = Map.groupBy(books.payments, ({ provider, origin }) => toSourceKey(provider, origin));
  const sources: SourceMoney[] = [];
  for (const [name, transfers] of Map.groupBy(simulator.transfers(), toTransferSourceKey)) {
    const [first] = transfers;
    if (name === null || !first) continue;
    const { account } = first;
    const ownerKey = findOwnerKey(books, account.provider, account.reference);
    sources.push({ name, account, owner: ownerKey, transfers, payments: payments.get(name) ?? [] });
  }
  return sources;
};

/** Lists the owners that our books know. Money of every other owner is unmatched until an operator assigns it. */
const listKnownOwners = ({ checkouts, accounts }: Books): ReadonlySet<string> =>
  new Set([...checkouts.map(({ reference }) => toOwnerKey(reference)), ...accounts.map(({ id }) => toOwnerKey(id))]);

const isKorapayReport = ({ provider, kind }: Transfer['account']): boolean =>
  provider === 'korapay' && kind === 'payment';

/** Checks that our payments of a source are the money that arrived and that is still kept, each once. */
const findAmountProblems = (
  { name, owner: ownerKey, account, transfers, payments }: SourceMoney,
  isKnown: boolean,
): readonly string[] => {
  const problems: string[] = [];
  const kept = transfers.map((transfer) => transfer.keptAmount).filter((amount) => amount > 0);
  const accepted = payments.filter(({ outcome }) => outcome === 'accepted').map(({ amount }) => amount);
  if (formatSorted(accepted) !== formatSorted(kept))
    problems.push(`${name} of ${ownerKey}: ${accepted} accepted of ${kept}`);
  // A part of Korapay's cumulative reports may be returned, and money that never counted is announced in sums.
  if (isKorapayReport(account)) return problems;
  const arrived = transfers.map((transfer) => transfer.accepted).filter((amount) => amount > 0);
  const recorded = payments.map(({ amount }) => amount);
  const isUnreported = !isKnown && kept.length === 0 && recorded.length === 0;
  if (!isUnreported && formatSorted(recorded) !== formatSorted(arrived))
    problems.push(`${name} of ${ownerKey}: ${recorded} of ${arrived}`);
  return problems;
};

/** Checks that all money of a source has one owner: the owner that the provider names, or an owner that operators assigned. */
const findOwnerProblems = (
  { name, owner: ownerKey, payments }: SourceMoney,
  { recorded, done }: Assignments,
): readonly string[] => {
  const owners = [...new Set(payments.map(readOwnerKey))];
  const isOfSource = ({ source }: Assignment): boolean => source === name;
  const allowed = [ownerKey, ...recorded.filter(isOfSource).map(({ to }) => toOwnerKey(to))];
  const problems = owners
    .filter((owner) => !allowed.includes(owner))
    .map((owner) => `${name} of ${ownerKey}: on ${owner}, and nobody assigned it`);
  if (owners.length > 1) problems.push(`${name} of ${ownerKey}: on ${owners}`);
  for (const { to } of done.filter(isOfSource)) {
    if (owners.some((owner) => owner !== toOwnerKey(to)))
      problems.push(`${name} of ${ownerKey}: on ${owners} instead of ${to}`);
  }
  return problems;
};

/** Lists differences between our books and the money that the simulator keeps: to the kobo, each transfer once, each with one owner. */
export const findMoneyProblems = (books: Books, { simulator, assigned }: Evidence): readonly string[] => {
  const problems = books.unmatched.map(({ provider, source }) => `still unmatched: ${toSourceKey(provider, source)}`);
  const accepted = books.payments.filter(({ outcome }) => outcome === 'accepted');
  const credited = sum(accepted.map(({ amount }) => amount));
  if (credited !== simulator.totalKept()) problems.push(`credited ${credited} kobo of ${simulator.totalKept()}`);
  const known = listKnownOwners(books);
  const sources = groupBySource(books, simulator);
  for (const source of sources) {
    problems.push(...findAmountProblems(source, known.has(source.owner)), ...findOwnerProblems(source, assigned));
  }
  const names = new Set(sources.map(({ name }) => name));
  for (const { provider, origin, outcome } of books.payments) {
    const key = toSourceKey(provider, origin);
    if (outcome !== 'rejected' && !names.has(key)) problems.push(`${key}: of no transfer`);
  }
  return problems;
};

/** Finds the range, in kobo, of the returned money that we must have announced of a Korapay source. */
const findReturnRange = (
  { account, owner: ownerKey, transfers }: SourceMoney,
  shown: number,
  known: ReadonlySet<string>,
) => {
  const returned = sum(transfers.map(({ amount, keptAmount }) => amount - keptAmount));
  const whole = transfers.find(({ accepted, keptAmount }) => accepted > 0 && keptAmount === 0);
  // Excess or wrong money that arrived earlier may be unreported until the rest was returned with it.
  const counted = whole && Math.min(whole.accepted, account.toPay ?? whole.accepted);
  // Korapay shows returned money only while the last transfer is returned, and never shows late money. If it shows none, the limit is all
  // returned money.
  return { least: known.has(ownerKey) ? (counted ?? shown) : 0, most: whole ? returned : shown || returned };
};

/** Lists money that was returned but not announced, or announced but not returned. `falls`: the announced falls of each source, in kobo. */
export const findReturnProblems = (
  books: Books,
  falls: ReadonlyMap<string, number>,
  { simulator, reportedRejections, returnedAtKorapay: shown }: Evidence,
): readonly string[] => {
  const problems: string[] = [];
  const known = listKnownOwners(books);
  const sources = groupBySource(books, simulator);
  for (const source of sources.filter(({ account }) => isKorapayReport(account))) {
    const { name, payments } = source;
    const rejected = payments.filter(({ outcome }) => outcome === 'rejected');
    const announced = sum(rejected.map(({ amount }) => amount)) + (falls.get(name) ?? 0);
    const { least, most } = findReturnRange(source, shown.get(name) ?? 0, known);
    if (announced < least || announced > most)
      problems.push(`${name}: ${announced} kobo announced as returned of ${least} to ${most}`);
  }
  const names = new Set(sources.map(({ name }) => name));
  const recorded = new Map(books.payments.map((payment) => [toSourceKey(payment.provider, payment.origin), payment]));
  for (const rejection of reportedRejections) {
    const { payee, provider } = rejection;
    const key = toSourceKey(provider, toSourceId(rejection));
    const isOurs = payee.by === 'our_reference' && known.has(findOwnerKey(books, provider, payee.reference));
    if (isOurs && recorded.get(key)?.outcome !== 'rejected') problems.push(`${key}: rejected, not announced`);
  }
  const rejections = new Set(
    reportedRejections.map((rejection) => toSourceKey(rejection.provider, toSourceId(rejection))),
  );
  for (const { provider, origin } of books.payments) {
    const key = toSourceKey(provider, origin);
    if (!names.has(key) && !rejections.has(key)) problems.push(`${key}: never reported`);
  }
  return problems;
};

/** Returns a function that lists the payments of a checkout with one of these outcomes. */
export const indexPayments = ({ payments }: Pick<Books, 'payments'>, ...outcomes: readonly Payment['outcome'][]) => {
  const byOwner = Map.groupBy(
    payments.filter(({ outcome }) => outcomes.includes(outcome)),
    readOwnerKey,
  );
  return ({ reference }: Checkout): readonly Payment[] => byOwner.get(toOwnerKey(reference)) ?? [];
};

/** Tells whether Korapay keeps money for a checkout under a reference that the checkout used there. */
const isKeptByKorapay = (checkout: Checkout, { provider, origin }: Payment): boolean =>
  provider === 'korapay' &&
  'reference' in origin &&
  findReportedAttempt(checkout, provider, origin.reference) !== undefined;

/** Computes the final status of a checkout. Korapay treats the money that it keeps for a checkout as complete. */
const expectStatus = (checkout: Checkout, accepted: readonly Payment[]): Checkout['status'] => {
  const paid = sum(accepted.map(({ amount }) => amount));
  if (paid >= checkout.amount || accepted.some((payment) => isKeptByKorapay(checkout, payment))) return 'paid';
  return paid > 0 ? 'underpaid' : 'expired';
};

/** Lists checkouts whose sum or status does not follow from their payments. */
export const findCheckoutProblems = (books: Books): readonly string[] => {
  const { checkouts, testCheckouts, opening } = books;
  const problems = opening.map(
    ({ pk, attempts, createdAt, settleAt, version, gsi2pk = 'nowhere' }) =>
      `still opening: ${pk}, ${JSON.stringify(attempts)}, since ${createdAt}, version ${version}, to be settled at ${settleAt}, due in ${gsi2pk}`,
  );
  for (const { reference, status, paidAmount } of testCheckouts) {
    if (status !== 'expired' || paidAmount > 0)
      problems.push(`${reference}, in test mode: ${status}, ${paidAmount} kobo`);
  }
  const listAccepted = indexPayments(books, 'accepted');
  for (const checkout of checkouts) {
    const accepted = listAccepted(checkout);
    const paid = sum(accepted.map(({ amount }) => amount));
    if (checkout.paidAmount !== paid)
      problems.push(`${checkout.reference}: says ${checkout.paidAmount} kobo of ${paid}`);
    const expected = expectStatus(checkout, accepted);
    const providers = checkout.attempts.map(({ provider }) => provider);
    if (checkout.status !== expected)
      problems.push(`${checkout.reference} at ${providers}: ${checkout.status} instead of ${expected}`);
  }
  return problems;
};

import type { Simulator, Transfer } from '#infra/local/simulator/simulator.ts';
import { operatorChange } from '#shared/businesses/domain/operator-change.ts';
import { attemptOfReport, isForeignTo } from '#shared/checkouts/domain/attempt.ts';
import { type Checkout, checkout } from '#shared/checkouts/domain/checkout.ts';
import { nameOfOwner, type Payment, payment } from '#shared/payments/domain/payment.ts';
import { unmatchedPayment } from '#shared/payments/domain/unmatched-payment.ts';
import type { Item } from '#shared/platform/table/table.ts';
import { toCheckoutReference } from '#shared/providers/domain/attempt-reference.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { isReturned, type ReportedRejection, toSourceId } from '#shared/providers/domain/report.ts';
import type { PaymentOrigin, SourceId } from '#shared/providers/domain/source.ts';
import { virtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';
import { delivery } from '#shared/webhooks/domain/delivery.ts';
import { event } from '#shared/webhooks/domain/event.ts';

/* Our books against the simulator's. All amounts are kobo. */

export const sum = (amounts: readonly number[]): number => amounts.reduce((total, one) => total + one, 0);
const inOrder = (amounts: readonly number[]): string => String(amounts.toSorted((a, b) => a - b));
const ofKind = (items: readonly Item[], sk: string): readonly Item[] => items.filter((item) => item.sk === sk);

const checkoutsIn = (items: readonly Item[]): readonly Checkout[] =>
  ofKind(items, 'CHK').flatMap((item) => (item.status === 'opening' ? [] : [checkout.parse(item)]));

/** Everything that a table holds, as entities. Money that was returned before it had an owner is recorded as a trace only. */
export const booksOf = (items: readonly Item[]) => ({
  payments: ofKind(items, 'PAY')
    .filter(({ unmatched }) => !unmatched)
    .map((item) => payment.parse(item)),
  unmatched: ofKind(items, 'PAY')
    .filter(({ unmatched }) => unmatched)
    .map((item) => unmatchedPayment.parse(item))
    .filter(({ money }) => !isReturned(money)),
  checkouts: checkoutsIn(items).filter(({ mode }) => mode === 'live'),
  testCheckouts: checkoutsIn(items).filter(({ mode }) => mode === 'test'),
  accounts: ofKind(items, 'VA').flatMap((item) => (item.status === 'opening' ? [] : [virtualAccount.parse(item)])),
  opening: items.filter(({ status }) => status === 'opening'),
  events: ofKind(items, 'EVT')
    .map((item) => event.parse(item))
    .filter(({ mode }) => mode === 'live'),
  deliveries: items.filter(({ sk }) => String(sk).startsWith('DLV#')).map((item) => delivery.parse(item)),
  changes: items.filter(({ sk }) => String(sk).startsWith('LOG#')).map((item) => operatorChange.parse(item)),
});
export type Books = ReturnType<typeof booksOf>;

/** One name for an owner, whichever attempt's reference and whatever case of letters a provider has it under. */
const ownerKey = (reference: string): string => toCheckoutReference(reference).toLowerCase();
/** Whom money under a reference is for: a checkout that has not used it at that provider owns nothing of it. */
const ownerKeyOfReference = (
  { checkouts, accounts }: Pick<Books, 'checkouts' | 'accounts'>,
  provider: ProviderName,
  reference: string,
): string => {
  const named = checkouts.find((one) => one.reference === toCheckoutReference(reference));
  const account = accounts.find((one) => ownerKey(one.id) === ownerKey(reference));
  const isAnothers = named ? isForeignTo(provider, named, reference) : account && account.provider !== provider;
  if (isAnothers) return `${provider} ${reference.toLowerCase()}`;
  return named && !attemptOfReport(named, provider, reference) ? reference.toLowerCase() : ownerKey(reference);
};
const ownerKeyOfPayment = ({ owner }: Payment): string => ownerKey(nameOfOwner(owner));

/** What operators did, by the name under which the money lay unmatched: whom they are on record to have given it to, and whom the command named as its owner. */
export interface Assigned {
  readonly recorded: readonly Assignment[];
  readonly done: readonly Assignment[];
}
export interface Assignment {
  /** The key of the source that the money was of. */
  readonly source: string;
  readonly to: string;
}

/** A rejection with the provider that reported it. */
export type RejectionAt = ReportedRejection & { readonly provider: ProviderName };

/** All that the world outside knows, and what operators did. */
export interface Evidence {
  readonly simulator: Simulator['books'];
  /** Rejections that reached us: Paystack and Monnify report them by notification only, and nobody repeats one that got lost. */
  readonly reportedRejections: readonly RejectionAt[];
  /** What Korapay's look-up shows of each reference's money as sent back by now. */
  readonly shown: ReadonlyMap<string, number>;
  readonly assigned: Assigned;
}

/**
 * The key of a source, whose money can have one owner only: a transfer under the provider's id, all that a provider reports as one running
 * total under a reference, or a rejection. Two providers may use the same reference.
 */
export const sourceKey = (provider: ProviderName, id: PaymentOrigin | SourceId): string => {
  if (id.kind === 'transfer' || id.kind === 'rest') return `${provider} ${id.transferId}`;
  return `${provider} ${id.kind === 'rejection' ? `${id.transaction} ${id.rejectionId}` : id.reference}`;
};
const isTold = ({ account }: Transfer): 'as a total' | 'by itself' =>
  account.kind === 'payment' && account.provider !== 'paystack' ? 'as a total' : 'by itself';
const sourceKeyOfTransfer = (transfer: Transfer): string | null => {
  const id = isTold(transfer) === 'as a total' ? transfer.account.reference : transfer.id;
  return id === null ? null : `${transfer.account.provider} ${id}`;
};

interface MoneyOfSource {
  /** The key of the source. */
  readonly name: string;
  /** Whom the provider has its account for. */
  readonly own: string;
  readonly account: Transfer['account'];
  readonly transfers: readonly Transfer[];
  readonly payments: readonly Payment[];
}

/** Everything that was moved to accounts and may be reported, with our payments of it. */
const moneyBySource = (books: Books, simulator: Simulator['books']): readonly MoneyOfSource[] => {
  const payments = Map.groupBy(books.payments, ({ provider, origin }) => sourceKey(provider, origin));
  const sources: MoneyOfSource[] = [];
  for (const [name, transfers] of Map.groupBy(simulator.transfers(), sourceKeyOfTransfer)) {
    const [first] = transfers;
    if (name === null || !first) continue;
    const { account } = first;
    const own = ownerKeyOfReference(books, account.provider, account.reference);
    sources.push({ name, account, own, transfers, payments: payments.get(name) ?? [] });
  }
  return sources;
};

/** Those whom our books know: money of all others is nobody's until it is assigned. */
const knownOwners = ({ checkouts, accounts }: Books): ReadonlySet<string> =>
  new Set([...checkouts.map(({ reference }) => ownerKey(reference)), ...accounts.map(({ id }) => ownerKey(id))]);

const isKorapayTotal = ({ provider, kind }: Transfer['account']): boolean =>
  provider === 'korapay' && kind === 'payment';

/** Whether our payments of a source are what came and what is still kept, each once. */
const amountProblems = (
  { name, own, account, transfers, payments }: MoneyOfSource,
  isKnown: boolean,
): readonly string[] => {
  const problems: string[] = [];
  const kept = transfers.map((one) => one.keptAmount).filter((amount) => amount > 0);
  const accepted = payments.filter(({ outcome }) => outcome === 'accepted').map(({ amount }) => amount);
  if (inOrder(accepted) !== inOrder(kept)) problems.push(`${name} of ${own}: ${accepted} accepted of ${kept}`);
  // Of Korapay's totals a part may have gone back, and what never counted is announced in sums.
  if (isKorapayTotal(account)) return problems;
  const came = transfers.map((one) => one.accepted).filter((amount) => amount > 0);
  const recorded = payments.map(({ amount }) => amount);
  const isUnreported = !isKnown && kept.length === 0 && recorded.length === 0;
  if (!isUnreported && inOrder(recorded) !== inOrder(came)) problems.push(`${name} of ${own}: ${recorded} of ${came}`);
  return problems;
};

/** Whether all money of a source is on one owner: the one whom the provider names, or one whom operators did. */
const ownerProblems = ({ name, own, payments }: MoneyOfSource, { recorded, done }: Assigned): readonly string[] => {
  const owners = [...new Set(payments.map(ownerKeyOfPayment))];
  const ofThisSource = ({ source }: Assignment): boolean => source === name;
  const allowed = [own, ...recorded.filter(ofThisSource).map(({ to }) => ownerKey(to))];
  const problems = owners
    .filter((owner) => !allowed.includes(owner))
    .map((owner) => `${name} of ${own}: on ${owner}, and nobody assigned it`);
  if (owners.length > 1) problems.push(`${name} of ${own}: on ${owners}`);
  for (const { to } of done.filter(ofThisSource)) {
    if (owners.some((owner) => owner !== ownerKey(to)))
      problems.push(`${name} of ${own}: on ${owners} instead of ${to}`);
  }
  return problems;
};

/** What does not agree between our books and what the simulator keeps: to the kobo, each transfer once, each on one owner. */
export const moneyProblems = (books: Books, { simulator, assigned }: Evidence): readonly string[] => {
  const problems = books.unmatched.map(({ provider, source }) => `still unmatched: ${sourceKey(provider, source)}`);
  const accepted = books.payments.filter(({ outcome }) => outcome === 'accepted');
  const credited = sum(accepted.map(({ amount }) => amount));
  if (credited !== simulator.totalKept()) problems.push(`credited ${credited} kobo of ${simulator.totalKept()}`);
  const known = knownOwners(books);
  const sources = moneyBySource(books, simulator);
  for (const source of sources) {
    problems.push(...amountProblems(source, known.has(source.own)), ...ownerProblems(source, assigned));
  }
  const names = new Set(sources.map(({ name }) => name));
  for (const { provider, origin, outcome } of books.payments) {
    const key = sourceKey(provider, origin);
    if (outcome !== 'rejected' && !names.has(key)) problems.push(`${key}: of no transfer`);
  }
  return problems;
};

/** Between how much and how much Korapay's business must have been notified of as returned. */
const rangeOf = ({ account, own, transfers }: MoneyOfSource, shown: number, known: ReadonlySet<string>) => {
  const back = sum(transfers.map(({ amount, keptAmount: kept }) => amount - kept));
  const whole = transfers.find(({ accepted, keptAmount: kept }) => accepted > 0 && kept === 0);
  // Of what was too much, or wrong before it, nothing may have been reported until the rest was returned with it.
  const counted = whole && Math.min(whole.accepted, account.toPay ?? whole.accepted);
  // Korapay shows what was returned only while its last transfer was, and never what came too late: otherwise all that was returned is a bound.
  return { least: known.has(own) ? (counted ?? shown) : 0, most: whole ? back : shown || back };
};

/** What was returned and not announced, or announced and not returned. `falls`: by how much events announced that the money of each source fell. */
export const sentBackProblems = (
  books: Books,
  falls: ReadonlyMap<string, number>,
  { simulator, reportedRejections, shown }: Evidence,
): readonly string[] => {
  const problems: string[] = [];
  const known = knownOwners(books);
  const sources = moneyBySource(books, simulator);
  for (const source of sources.filter(({ account }) => isKorapayTotal(account))) {
    const { name, payments } = source;
    const rejected = payments.filter(({ outcome }) => outcome === 'rejected');
    const announced = sum(rejected.map(({ amount }) => amount)) + (falls.get(name) ?? 0);
    const { least, most } = rangeOf(source, shown.get(name) ?? 0, known);
    if (announced < least || announced > most)
      problems.push(`${name}: ${announced} kobo announced as returned of ${least} to ${most}`);
  }
  const names = new Set(sources.map(({ name }) => name));
  const recorded = new Map(books.payments.map((one) => [sourceKey(one.provider, one.origin), one]));
  for (const rejection of reportedRejections) {
    const { payee, provider } = rejection;
    const key = sourceKey(provider, toSourceId(rejection));
    const isOurs = payee.by === 'our_reference' && known.has(ownerKeyOfReference(books, provider, payee.reference));
    if (isOurs && recorded.get(key)?.outcome !== 'rejected') problems.push(`${key}: rejected, not announced`);
  }
  const rejections = new Set(
    reportedRejections.map((rejection) => sourceKey(rejection.provider, toSourceId(rejection))),
  );
  for (const { provider, origin } of books.payments) {
    const key = sourceKey(provider, origin);
    if (!names.has(key) && !rejections.has(key)) problems.push(`${key}: never reported`);
  }
  return problems;
};

/** The payments of each checkout with one of these outcomes. */
export const paymentsOfCheckout = (
  { payments }: Pick<Books, 'payments'>,
  ...outcomes: readonly Payment['outcome'][]
) => {
  const byOwner = Map.groupBy(
    payments.filter(({ outcome }) => outcomes.includes(outcome)),
    ownerKeyOfPayment,
  );
  return ({ reference }: Checkout): readonly Payment[] => byOwner.get(ownerKey(reference)) ?? [];
};

/** Whether Korapay keeps money for a checkout under a reference that the checkout used there. */
const isKeptByKorapay = (one: Checkout, { provider, origin }: Payment): boolean =>
  provider === 'korapay' && 'reference' in origin && attemptOfReport(one, provider, origin.reference) !== undefined;

/** The status that a checkout must have once nothing is to come any more. Korapay takes what it keeps for it as complete. */
const rightStatus = (one: Checkout, accepted: readonly Payment[]): Checkout['status'] => {
  const paid = sum(accepted.map(({ amount }) => amount));
  if (paid >= one.amount || accepted.some((payment) => isKeptByKorapay(one, payment))) return 'paid';
  return paid > 0 ? 'underpaid' : 'expired';
};

/** Checkouts whose sum or status does not follow from their payments. */
export const checkoutProblems = (books: Books): readonly string[] => {
  const { checkouts, testCheckouts, opening } = books;
  const problems = opening.map(
    ({ pk, attempts, createdAt, settleAt, version, gsi2pk = 'nowhere' }) =>
      `still opening: ${pk}, ${JSON.stringify(attempts)}, since ${createdAt}, version ${version}, to be settled at ${settleAt}, due in ${gsi2pk}`,
  );
  for (const { reference, status, paidAmount } of testCheckouts) {
    if (status !== 'expired' || paidAmount > 0)
      problems.push(`${reference}, in test mode: ${status}, ${paidAmount} kobo`);
  }
  const acceptedOf = paymentsOfCheckout(books, 'accepted');
  for (const one of checkouts) {
    const accepted = acceptedOf(one);
    const paid = sum(accepted.map(({ amount }) => amount));
    if (one.paidAmount !== paid) problems.push(`${one.reference}: says ${one.paidAmount} kobo of ${paid}`);
    const right = rightStatus(one, accepted);
    const providers = one.attempts.map(({ provider }) => provider);
    if (one.status !== right) problems.push(`${one.reference} at ${providers}: ${one.status} instead of ${right}`);
  }
  return problems;
};

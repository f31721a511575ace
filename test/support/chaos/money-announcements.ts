import { shownAttempts } from '#shared/checkouts/domain/attempt.ts';
import { getOwnerId, type Payment } from '#shared/payments/domain/payment.ts';
import { type Books, sum, toSourceKey } from './money-books.ts';

/* Checks that the events, read in order, add up to what the table holds. */

interface AnnouncedPayment {
  readonly id: string;
  /** Naira. */
  readonly amount: number;
  readonly outcome: Payment['outcome'];
}

/** The fields of an event that this check compares. */
interface Announcement {
  readonly type: string;
  readonly businessId: string;
  readonly data: {
    readonly reference?: string;
    readonly version?: number;
    readonly status?: string;
    /** Naira. */
    readonly paid_amount?: number;
    /** Only in events of virtual accounts. */
    readonly payment?: AnnouncedPayment;
    /** Only in events of checkouts, newest first. */
    readonly payments?: readonly AnnouncedPayment[];
  };
}

const toKobo = (naira: number | undefined): number => Math.round((naira ?? 0) * 100);

const listAnnouncements = (books: Books): readonly Announcement[] =>
  books.events.map(({ type, businessId, body }) => ({
    type,
    businessId,
    data: (JSON.parse(body) as Announcement).data,
  }));

/** The allowed number of new payments in each type of checkout event, and their outcome. */
const CHANGES: Readonly<Record<string, { readonly least: number; readonly most: number; readonly outcome?: string }>> =
  {
    // A provider may later treat as complete a payment that was announced before. Then the event has no new payment.
    'checkout.paid': { least: 0, most: 1, outcome: 'accepted' },
    'checkout.underpaid': { least: 1, most: 1, outcome: 'accepted' },
    'checkout.overpaid': { least: 1, most: 1, outcome: 'accepted' },
    'checkout.payment_rejected': { least: 1, most: 1, outcome: 'rejected' },
    // After a partial return, the remainder is a payment of its own.
    'checkout.payment_reversed': { least: 0, most: 1, outcome: 'accepted' },
    'checkout.expired': { least: 0, most: 0 },
  };

/** Replays the events of one checkout. Returns its problems, its announced payments, and the kobo by which each payment fell. */
const replay = (events: readonly Announcement[]) => {
  const problems: string[] = [];
  const known = new Map<string, AnnouncedPayment>();
  const falls = new Map<string, number>();
  for (const { type, data } of events) {
    const { payments = [], version } = data;
    const changed = payments.filter((payment) => {
      const before = known.get(payment.id);
      return before && (before.outcome !== payment.outcome || before.amount !== payment.amount);
    });
    const added = payments.filter(({ id }) => !known.has(id));
    const reversed = changed.filter(
      ({ id, outcome }) => known.get(id)?.outcome === 'accepted' && outcome === 'reversed',
    );
    const { least, most, outcome: expectedOutcome } = CHANGES[type] ?? { least: 0, most: -1 };
    const isExpected =
      added.length >= least &&
      added.length <= most &&
      added.every(({ outcome }) => outcome === expectedOutcome) &&
      changed.length === reversed.length &&
      reversed.length > 0 === (type === 'checkout.payment_reversed');
    if (!isExpected) problems.push(`${type} ${version} announces ${JSON.stringify({ added, changed })}`);
    for (const payment of payments) known.set(payment.id, payment);
    const paid = sum([...known.values()].map(({ amount, outcome }) => (outcome === 'accepted' ? toKobo(amount) : 0)));
    if (toKobo(data.paid_amount) !== paid)
      problems.push(`${type} ${version} announces ${data.paid_amount} naira in all`);
    const [first] = reversed;
    const fellBy = sum(reversed.map(({ amount }) => toKobo(amount))) - sum(added.map(({ amount }) => toKobo(amount)));
    if (first) falls.set(first.id, (falls.get(first.id) ?? 0) + fellBy);
  }
  return { problems, known, falls };
};

const byVersion = (a: Announcement, b: Announcement): number => (a.data.version ?? 0) - (b.data.version ?? 0);
const formatPayments = (payments: readonly { id: string; outcome: string; kobo: number }[]): string =>
  payments
    .map(({ id, outcome, kobo }) => `${id} ${outcome} ${kobo}`)
    .toSorted()
    .join(', ');

/** Replays the events of every checkout. */
const replayAll = (books: Books) => {
  const announced = Map.groupBy(listAnnouncements(books), ({ data }) => data.reference ?? '');
  return books.checkouts.map((checkout) => {
    const events = (announced.get(checkout.reference) ?? []).toSorted(byVersion);
    return { checkout, events, ...replay(events) };
  });
};

/** Sums the falls of each source (money-books.ts), in kobo, as the events announced them. */
export const sumFalls = (books: Books): ReadonlyMap<string, number> => {
  const sources = new Map(books.payments.map(({ id, provider, origin }) => [id, toSourceKey(provider, origin)]));
  const falls = new Map<string, number>();
  for (const [id, fellBy] of replayAll(books).flatMap((replayed) => [...replayed.falls])) {
    const source = sources.get(id) ?? '';
    falls.set(source, (falls.get(source) ?? 0) + fellBy);
  }
  return falls;
};

/**
 * Tells whether a return was reported before in the other of the two ways: by notification of a rejection, or by look-up. The second report is
 * recorded, but not announced again (announced-returns.ts).
 */
const isSecondReport = ({ amount, outcome, origin }: Payment, recorded: readonly Payment[]): boolean =>
  outcome === 'rejected' &&
  recorded.some(
    (other) =>
      other.outcome === 'rejected' &&
      other.amount === amount &&
      (other.origin.kind === 'rejection') !== (origin.kind === 'rejection'),
  );

/** Lists changes of checkouts that were announced wrongly, twice, or not at all. */
const findCheckoutProblems = (books: Books): readonly string[] => {
  const problems: string[] = [];
  const byOwner = Map.groupBy(books.payments, ({ owner }) => getOwnerId(owner));
  for (const { checkout, events, known, problems: replayProblems } of replayAll(books)) {
    const { reference, version, status, businessId } = checkout;
    problems.push(...replayProblems.map((problem) => `${reference}: ${problem}`));
    const versions = events.map(({ data }) => data.version ?? 0);
    // The versions before the first event are those of the opening. After that, only another account takes a version without an event.
    const silentVersions = version + 1 - (versions[0] ?? version + 1) - new Set(versions).size;
    const areVersionsComplete =
      silentVersions >= 0 &&
      silentVersions < shownAttempts(checkout).length &&
      new Set(versions).size === versions.length;
    if (!areVersionsComplete) problems.push(`${reference}: versions ${versions} announced of ${version}`);
    const announcedStatus = events.at(-1)?.data.status ?? 'pending';
    if (announcedStatus !== status) problems.push(`${reference}: ${status}, announced as ${announcedStatus}`);
    if (events.some((event) => event.businessId !== businessId))
      problems.push(`${reference}: announced to another business`);
    const recorded = byOwner.get(reference) ?? [];
    const toAnnounce = recorded.filter((payment) => known.has(payment.id) || !isSecondReport(payment, recorded));
    const announced = formatPayments(
      [...known.values()].map((payment) => ({ ...payment, kobo: toKobo(payment.amount) })),
    );
    const expected = formatPayments(toAnnounce.map((payment) => ({ ...payment, kobo: payment.amount })));
    if (announced !== expected) problems.push(`${reference}: announced ${announced} of ${expected}`);
  }
  return problems;
};

/** The events that must announce a payment on a virtual account. Money that was returned before it was reported is only recorded. */
const RECEIVED = 'virtual_account.payment_received';
const EXPECTED_TYPES: Record<Payment['outcome'], readonly string[]> = {
  accepted: [RECEIVED],
  reversed: [RECEIVED, 'virtual_account.payment_reversed'],
  rejected: [],
};

const findAccountProblems = (books: Books): readonly string[] => {
  const problems: string[] = [];
  const announced = Map.groupBy(listAnnouncements(books), ({ data }) => data.payment?.id ?? '');
  for (const { id, amount, outcome, businessId, owner } of books.payments) {
    const events = announced.get(id) ?? [];
    const types = events.map(({ type }) => type).toSorted();
    const expected = owner.kind === 'virtual_account' ? EXPECTED_TYPES[outcome] : [];
    if (String(types) !== String(expected)) problems.push(`${id}, ${outcome}: announced by ${types}`);
    for (const { data, businessId: announcedTo } of events) {
      if (toKobo(data.payment?.amount) !== amount) problems.push(`${id}: announced as ${data.payment?.amount} naira`);
      if (announcedTo !== businessId) problems.push(`${id}: announced to ${announcedTo}`);
    }
  }
  return problems;
};

/** Lists changes that were announced wrongly, twice, or not at all, and events without exactly one delivery. */
export const findAnnouncementProblems = (
  books: Books,
  findEndpoint: (businessId: string) => string | undefined,
): readonly string[] => {
  const problems = [...findCheckoutProblems(books), ...findAccountProblems(books)];
  const byEvent = Map.groupBy(books.deliveries, ({ eventId }) => eventId);
  for (const { id, businessId } of books.events) {
    const endpoints = (byEvent.get(id) ?? []).map(({ endpointId }) => endpointId);
    if (String(endpoints) !== String(findEndpoint(businessId))) problems.push(`${id}: deliveries to ${endpoints}`);
  }
  if (books.deliveries.length !== books.events.length) problems.push('deliveries without an event');
  return problems;
};

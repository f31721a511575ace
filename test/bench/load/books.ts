import { setTimeout as wait } from 'node:timers/promises';
import { type Client, inParallel } from '#test/bench/requests.ts';
import { askFor, listAll } from './asking.ts';
import type { Hook } from './hooks.ts';
import type { LoadMerchant } from './merchants.ts';

/* The final comparison: what the API answered to merchants, what it lists now, and what their servers received must agree. */

interface Delivery {
  readonly endpoint_id: string;
  readonly status: string;
  readonly attempts: readonly { readonly number: number }[];
}
interface ListedEvent {
  readonly id: string;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: an event's data depends on its type.
  readonly data: any;
}

/** A subscriber of an event. */
interface Pair {
  readonly hook: Hook;
  /** False for the endpoint of a test event, which may have been deleted meanwhile. */
  readonly exists: boolean;
}

/** Deliveries to the endpoints of one kind, each of them in exactly one of these columns. */
export interface KindAccount {
  deliveries: number;
  receivedOnce: number;
  receivedAgain: number;
  cancelled: number;
  unaccounted: number;
  /** Of those received: first accepted after the endpoint had recovered. */
  late: number;
}

export interface Books {
  /** Every disagreement, in sentences. */
  readonly wrong: string[];
  readonly totals: {
    checkouts: number;
    payments: number;
    failures: number;
    tests: number;
    switchedOff: number;
    events: number;
  };
  /** Kobo received: by the answers to simulations, by verify and the lists of payments, and by events. */
  readonly kobo: { answered: number; recorded: number; announced: number };
  readonly kinds: Map<string, KindAccount>;
}

const MAX_CONCURRENT = 8;
/** Milliseconds after which a remaining disagreement is an error. Long, for slow machines. */
const SETTLES_WITHIN_MS = 180_000;
const RECHECK_MS = 500;

const koboOf = (naira: number): number => Math.round(naira * 100);

/** What caused an event: a payment, a failed checkout, a test, or a disabled endpoint. */
const causeOf = ({ id, type, data }: ListedEvent): string => {
  if (type === 'endpoint.test') return `test ${id}`;
  if (type === 'endpoint.disabled') return `switching off of ${data.id}`;
  if (type === 'checkout.failed') return `failure ${data.reference}`;
  if (type.startsWith('virtual_account.')) return `payment ${data.payment.id}`;
  return `payment ${data.payments[0]?.id}`;
};
/** The kobo of the payment that an event announces; zero when it announces none. */
const announcedKobo = ({ type, data }: ListedEvent): number => {
  if (type.startsWith('endpoint.') || type === 'checkout.failed') return 0;
  return koboOf(type.startsWith('virtual_account.') ? data.payment.amount : data.payments[0].amount);
};

/** Reads everything that the service lists for these merchants and compares it, one by one, with their own records. */
export const compareBooks = async (client: Client, merchants: readonly LoadMerchant[]): Promise<Books> => {
  const wrong: string[] = [];
  const totals = { checkouts: 0, payments: 0, failures: 0, tests: 0, switchedOff: 0, events: 0 };
  const kobo = { answered: 0, recorded: 0, announced: 0 };
  const kinds = new Map<string, KindAccount>();

  const read = (merchant: LoadMerchant, path: string) => askFor(client, merchant, { method: 'GET', path }, 200);
  const readAll = (merchant: LoadMerchant, path: string) => listAll(client, merchant, path);

  const compareMoney = async (merchant: LoadMerchant): Promise<void> => {
    const listed = await readAll(merchant, '/checkouts');
    if (listed.length !== merchant.checkouts.size) {
      wrong.push(`${merchant.id} started ${merchant.checkouts.size} checkouts; ${listed.length} are listed.`);
    }
    for (const { reference, amount, landed, failed } of merchant.checkouts.values()) {
      const { data } = await read(merchant, `/checkout/verify/${reference}`);
      const sum = landed.reduce((all, one) => all + one.kobo, 0);
      const recorded = koboOf(data.paid_amount);
      const ids = new Set(data.payments.map(({ id }: { id: string }) => id));
      const status = failed ? 'failed' : sum >= amount ? 'paid' : sum > 0 ? 'underpaid' : 'pending';
      const agrees =
        recorded === sum && ids.size === landed.length && landed.every(({ paymentId }) => ids.has(paymentId));
      if (!agrees)
        wrong.push(`${reference} received ${sum} kobo in ${landed.length} payments, and verify says ${recorded}.`);
      if (data.status !== status) wrong.push(`${reference} should be ${status}, and verify says ${data.status}.`);
      totals.checkouts += 1;
      totals.payments += landed.length;
      totals.failures += failed ? 1 : 0;
      kobo.answered += sum;
      kobo.recorded += recorded;
    }
    for (const [id, landed] of merchant.accounts) {
      const payments = await readAll(merchant, `/virtual-accounts/${id}/payments`);
      const listed = new Map<string, number>(payments.map((one) => [one.id, koboOf(one.amount)]));
      const agrees =
        listed.size === landed.length && landed.every(({ paymentId, kobo: each }) => listed.get(paymentId) === each);
      if (!agrees) wrong.push(`${id} received ${landed.length} payments, and lists ${listed.size}, or other amounts.`);
      totals.payments += landed.length;
      kobo.answered += landed.reduce((all, one) => all + one.kobo, 0);
      kobo.recorded += [...listed.values()].reduce((all, one) => all + one, 0);
    }
    totals.tests += merchant.tests.size;
    totals.switchedOff += merchant.switchedOff.size;
  };

  /** Every cause has exactly one event, and every event a cause. */
  const compareEvents = async (merchant: LoadMerchant): Promise<readonly ListedEvent[]> => {
    const events: ListedEvent[] = await readAll(merchant, '/events');
    const caused = Map.groupBy(events, causeOf);
    const causes = new Set([
      ...[...merchant.checkouts.values()].flatMap(({ reference, landed, failed }) => [
        ...landed.map(({ paymentId }) => `payment ${paymentId}`),
        ...(failed ? [`failure ${reference}`] : []),
      ]),
      ...[...merchant.accounts.values()].flat().map(({ paymentId }) => `payment ${paymentId}`),
      ...[...merchant.tests.keys()].map((id) => `test ${id}`),
      ...[...merchant.switchedOff].map((id) => `switching off of ${id}`),
    ]);
    for (const cause of causes) {
      const count = caused.get(cause)?.length ?? 0;
      if (count !== 1) wrong.push(`The ${cause} has ${count} events.`);
    }
    for (const cause of caused.keys()) {
      if (!causes.has(cause)) wrong.push(`There is an event of a ${cause} that did not happen.`);
    }
    totals.events += events.length;
    for (const event of events) kobo.announced += announcedKobo(event);
    return events;
  };

  /** The column of a delivery, and how the service and the endpoint's server disagree about it, if they do. */
  const classify = (
    { hook, exists }: Pair,
    { id }: ListedEvent,
    delivery: Delivery,
  ): { column: Exclude<keyof KindAccount, 'deliveries' | 'late'>; disagreement?: string } => {
    const { accepted = 0, posts = 0 } = hook.got.get(id) ?? {};
    const attempts = delivery.attempts.at(-1)?.number ?? 0;
    const { status } = delivery;
    const at = `${hook.kind} ${hook.issued?.id}`;
    if (posts > attempts) {
      return {
        column: 'unaccounted',
        disagreement: `${id} was posted ${posts} times to ${at} in ${attempts} attempts.`,
      };
    }
    if (status === 'succeeded' && accepted > 0) return { column: accepted === 1 ? 'receivedOnce' : 'receivedAgain' };
    if (accepted > 0) {
      return { column: 'unaccounted', disagreement: `${id} was received by ${at}, but its status is ${status}.` };
    }
    // Only an endpoint that was deleted meanwhile may miss a delivery.
    if (!exists && status === 'cancelled') return { column: 'cancelled' };
    return { column: 'unaccounted', disagreement: `${id} is ${status} at ${at}, which never received it.` };
  };

  /** Adds a delivery to its column. */
  const count = ({ hook, exists }: Pair, { id }: ListedEvent, column: keyof KindAccount): void => {
    const kind = exists ? hook.kind : 'deleted since';
    const account = kinds.get(kind) ?? {
      deliveries: 0,
      receivedOnce: 0,
      receivedAgain: 0,
      cancelled: 0,
      unaccounted: 0,
      late: 0,
    };
    kinds.set(kind, account);
    account.deliveries += 1;
    account[column] += 1;
    if (hook.got.get(id)?.late) account.late += 1;
  };

  const deadline = Date.now() + SETTLES_WITHIN_MS;
  /** Every subscriber has exactly one delivery of an event, in a state that agrees with what its server received. */
  const compareDeliveries = async (merchant: LoadMerchant, event: ListedEvent): Promise<void> => {
    const testOf = merchant.tests.get(event.id);
    // A disabled endpoint's event goes to the others.
    const receives = ({ issued }: Hook) =>
      issued?.types.some((type) => type === '*' || type === event.type) &&
      !(event.type === 'endpoint.disabled' && event.data.id === issued.id);
    const subscribers = merchant.hooks.filter((hook) =>
      testOf === undefined ? receives(hook) : hook.issued?.id === testOf,
    );
    for (;;) {
      const { data } = await read(merchant, `/events/${event.id}`);
      const deliveries: readonly Delivery[] = data.deliveries;
      const judged = subscribers.map((hook) => {
        const pair: Pair = { hook, exists: testOf === undefined };
        const found = deliveries.filter(({ endpoint_id }) => endpoint_id === hook.issued?.id);
        return { pair, found, verdicts: found.map((one) => classify(pair, event, one)) };
      });
      // A retry may run between the two reads: only a disagreement that lasts is wrong.
      const disagreements = judged.flatMap(({ verdicts }) => verdicts.flatMap(({ disagreement = [] }) => disagreement));
      if (disagreements.length > 0 && Date.now() < deadline) {
        await wait(RECHECK_MS);
        continue;
      }
      wrong.push(...disagreements);
      if (deliveries.length !== subscribers.length) {
        wrong.push(`${event.id} has ${deliveries.length} deliveries for ${subscribers.length} subscribers.`);
      }
      for (const { pair, found, verdicts } of judged) {
        const [verdict] = verdicts;
        if (found.length === 1 && verdict) count(pair, event, verdict.column);
        else wrong.push(`${event.id} has ${found.length} deliveries to ${pair.hook.issued?.id}.`);
      }
      return;
    }
  };

  const events = new Map<LoadMerchant, readonly ListedEvent[]>();
  await inParallel(merchants.length, MAX_CONCURRENT, async (i) => {
    const merchant = merchants[i];
    if (!merchant) return;
    await compareMoney(merchant);
    events.set(merchant, await compareEvents(merchant));
  });
  const pairs = [...events].flatMap(([merchant, all]) => all.map((event) => ({ merchant, event })));
  await inParallel(pairs.length, MAX_CONCURRENT, async (i) => {
    const pair = pairs[i];
    if (pair) await compareDeliveries(pair.merchant, pair.event);
  });

  const known = new Set(pairs.map(({ event }) => event.id));
  for (const hook of merchants.flatMap(({ hooks }) => hooks)) {
    if (hook.forged() > 0) wrong.push(`${hook.forged()} webhooks to ${hook.url} were not signed with its secret.`);
    for (const id of hook.got.keys())
      if (!known.has(id)) wrong.push(`${hook.url} received ${id}, which no list shows.`);
  }
  if (kobo.answered !== kobo.recorded || kobo.recorded !== kobo.announced) {
    wrong.push(
      `${kobo.answered} kobo were answered, ${kobo.recorded} are recorded, ${kobo.announced} were announced by events.`,
    );
  }
  return { wrong, totals, kobo, kinds };
};

import { setTimeout as wait } from 'node:timers/promises';
import { type Client, inParallel } from '#test/bench/requests.ts';
import { askFor, listAll } from './asking.ts';
import type { Hook } from './hooks.ts';
import type { LoadMerchant } from './merchants.ts';

/* The end of the day: what merchants were told, what the service says, and what their servers received, held against one another. */

interface Delivery {
  readonly endpoint_id: string;
  readonly status: string;
  readonly attempts: readonly { readonly number: number }[];
}
interface ToldEvent {
  readonly id: string;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: what an event tells depends on its type.
  readonly data: any;
}

/** A subscriber of an event. */
interface Pair {
  readonly hook: Hook;
  /** Unlike the endpoint of a test event, which may have been deleted in the meantime. */
  readonly lives: boolean;
}

/** Deliveries to the endpoints of one kind, each of them in exactly one of these columns. */
export interface KindAccount {
  deliveries: number;
  receivedOnce: number;
  receivedAgain: number;
  cancelled: number;
  unaccounted: number;
  /** Of those received: by an endpoint that did not take them until it had recovered. */
  late: number;
}

export interface Books {
  /** Whatever does not agree, in sentences. */
  readonly wrong: string[];
  readonly totals: {
    checkouts: number;
    payments: number;
    failures: number;
    tests: number;
    switchedOff: number;
    events: number;
  };
  /** Kobo: as the answers to simulations told, as verify and the lists of payments tell, as events told. */
  readonly kobo: { answered: number; kept: number; told: number };
  readonly kinds: Map<string, KindAccount>;
}

const ABREAST = 8;
/** However slow the machine: what has not settled by then is lost. */
const SETTLES_WITHIN_MS = 180_000;
const LOOK_AGAIN_MS = 500;

const koboOf = (naira: number): number => Math.round(naira * 100);

/** What an event announces: the payment that caused it, the checkout that failed, the test, or the endpoint that was switched off. */
const causeOf = ({ id, type, data }: ToldEvent): string => {
  if (type === 'endpoint.test') return `test ${id}`;
  if (type === 'endpoint.disabled') return `switching off of ${data.id}`;
  if (type === 'checkout.failed') return `failure ${data.reference}`;
  if (type.startsWith('virtual_account.')) return `payment ${data.payment.id}`;
  return `payment ${data.payments[0]?.id}`;
};
const koboTold = ({ type, data }: ToldEvent): number => {
  if (type.startsWith('endpoint.') || type === 'checkout.failed') return 0;
  return koboOf(type.startsWith('virtual_account.') ? data.payment.amount : data.payments[0].amount);
};

/** Reads everything that the service knows of these merchants and compares it, one by one, with their own books. */
export const closeBooks = async (client: Client, merchants: readonly LoadMerchant[]): Promise<Books> => {
  const wrong: string[] = [];
  const totals = { checkouts: 0, payments: 0, failures: 0, tests: 0, switchedOff: 0, events: 0 };
  const kobo = { answered: 0, kept: 0, told: 0 };
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
      const kept = koboOf(data.paid_amount);
      const ids = new Set(data.payments.map(({ id }: { id: string }) => id));
      const status = failed ? 'failed' : sum >= amount ? 'paid' : sum > 0 ? 'underpaid' : 'pending';
      const agrees = kept === sum && ids.size === landed.length && landed.every(({ paymentId }) => ids.has(paymentId));
      if (!agrees) wrong.push(`${reference} received ${sum} kobo in ${landed.length} payments, and says ${kept}.`);
      if (data.status !== status) wrong.push(`${reference} should be ${status}, and says ${data.status}.`);
      totals.checkouts += 1;
      totals.payments += landed.length;
      totals.failures += failed ? 1 : 0;
      kobo.answered += sum;
      kobo.kept += kept;
    }
    for (const [id, landed] of merchant.accounts) {
      const payments = await readAll(merchant, `/virtual-accounts/${id}/payments`);
      const kept = new Map<string, number>(payments.map((one) => [one.id, koboOf(one.amount)]));
      const agrees =
        kept.size === landed.length && landed.every(({ paymentId, kobo: each }) => kept.get(paymentId) === each);
      if (!agrees) wrong.push(`${id} received ${landed.length} payments, and lists ${kept.size}, or other amounts.`);
      totals.payments += landed.length;
      kobo.answered += landed.reduce((all, one) => all + one.kobo, 0);
      kobo.kept += [...kept.values()].reduce((all, one) => all + one, 0);
    }
    totals.tests += merchant.tests.size;
    totals.switchedOff += merchant.switchedOff.size;
  };

  /** Every cause has exactly one event, and every event a cause. */
  const compareEvents = async (merchant: LoadMerchant): Promise<readonly ToldEvent[]> => {
    const events: ToldEvent[] = await readAll(merchant, '/events');
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
      if (!causes.has(cause)) wrong.push(`There is an event of a ${cause} that nobody made.`);
    }
    totals.events += events.length;
    for (const event of events) kobo.told += koboTold(event);
    return events;
  };

  /** Which column a delivery belongs to, and in which way the service and the endpoint's server disagree about it. */
  const judge = (
    { hook, lives }: Pair,
    { id }: ToldEvent,
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
      return { column: 'unaccounted', disagreement: `${id} was received by ${at}, and is said to be ${status}.` };
    }
    // An endpoint that was deleted in the meantime gets nothing more; every other gets all.
    if (!lives && status === 'cancelled') return { column: 'cancelled' };
    return { column: 'unaccounted', disagreement: `${id} is said to be ${status} at ${at}, which never received it.` };
  };

  const enter = ({ hook, lives }: Pair, { id }: ToldEvent, column: keyof KindAccount): void => {
    const kind = lives ? hook.kind : 'deleted since';
    const account = kinds.get(kind) ?? {
      ...{ deliveries: 0, receivedOnce: 0, receivedAgain: 0 },
      ...{ cancelled: 0, unaccounted: 0, late: 0 },
    };
    kinds.set(kind, account);
    account.deliveries += 1;
    account[column] += 1;
    if (hook.got.get(id)?.late) account.late += 1;
  };

  const deadline = Date.now() + SETTLES_WITHIN_MS;
  /** Every subscriber has exactly one delivery of an event, in a state that agrees with what its server received. */
  const compareDeliveries = async (merchant: LoadMerchant, event: ToldEvent): Promise<void> => {
    const testOf = merchant.tests.get(event.id);
    // That an endpoint was switched off is told to the others.
    const hears = ({ issued }: Hook) =>
      issued?.types.some((type) => type === '*' || type === event.type) &&
      !(event.type === 'endpoint.disabled' && event.data.id === issued.id);
    const subscribers = merchant.hooks.filter((hook) =>
      testOf === undefined ? hears(hook) : hook.issued?.id === testOf,
    );
    for (;;) {
      const { data } = await read(merchant, `/events/${event.id}`);
      const deliveries: readonly Delivery[] = data.deliveries;
      const judged = subscribers.map((hook) => {
        const pair: Pair = { hook, lives: testOf === undefined };
        const found = deliveries.filter(({ endpoint_id }) => endpoint_id === hook.issued?.id);
        return { pair, found, verdicts: found.map((one) => judge(pair, event, one)) };
      });
      // A retry may run between the two books that are compared: only what still disagrees at the end is wrong.
      const disagreements = judged.flatMap(({ verdicts }) => verdicts.flatMap(({ disagreement = [] }) => disagreement));
      if (disagreements.length > 0 && Date.now() < deadline) {
        await wait(LOOK_AGAIN_MS);
        continue;
      }
      wrong.push(...disagreements);
      if (deliveries.length !== subscribers.length) {
        wrong.push(`${event.id} has ${deliveries.length} deliveries for ${subscribers.length} subscribers.`);
      }
      for (const { pair, found, verdicts } of judged) {
        const [verdict] = verdicts;
        if (found.length === 1 && verdict) enter(pair, event, verdict.column);
        else wrong.push(`${event.id} has ${found.length} deliveries to ${pair.hook.issued?.id}.`);
      }
      return;
    }
  };

  const events = new Map<LoadMerchant, readonly ToldEvent[]>();
  await inParallel(merchants.length, ABREAST, async (i) => {
    const merchant = merchants[i];
    if (!merchant) return;
    await compareMoney(merchant);
    events.set(merchant, await compareEvents(merchant));
  });
  const pairs = [...events].flatMap(([merchant, all]) => all.map((event) => ({ merchant, event })));
  await inParallel(pairs.length, ABREAST, async (i) => {
    const pair = pairs[i];
    if (pair) await compareDeliveries(pair.merchant, pair.event);
  });

  const known = new Set(pairs.map(({ event }) => event.id));
  for (const hook of merchants.flatMap(({ hooks }) => hooks)) {
    if (hook.forged() > 0) wrong.push(`${hook.forged()} webhooks to ${hook.url} were not signed with its secret.`);
    for (const id of hook.got.keys())
      if (!known.has(id)) wrong.push(`${hook.url} received ${id}, which no list shows.`);
  }
  if (kobo.answered !== kobo.kept || kobo.kept !== kobo.told) {
    wrong.push(`${kobo.answered} kobo were answered, ${kobo.kept} are kept, ${kobo.told} were told by events.`);
  }
  return { wrong, totals, kobo, kinds };
};

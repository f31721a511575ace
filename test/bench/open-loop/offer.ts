import { setTimeout as wait } from 'node:timers/promises';
import { readStackFile } from '#infra/local/data/stack-file.ts';
import { useLocalAws } from '#infra/local/environment.ts';
import { checkoutKey } from '#shared/checkouts/store/keys.ts';
import { connectTable, getItem } from '#shared/platform/table/table.ts';
import { fillCheckouts } from '#test/bench/fill.ts';
import { createPoster, startRawReceiver } from '#test/bench/raw-http.ts';
import { readReference } from '#test/bench/webhook-body.ts';
import { openBusiness } from '#test/support/worlds/merchant.ts';
import type { Stack } from '#test/support/worlds/stack.ts';

const BUSINESSES = 10;
/** Milliseconds after the last request: an answer or webhook that is missing by then is lost. */
const ENDS_WITHIN_MS = 60_000;

/** One requested payment. Times are milliseconds of `performance.now`. */
interface OfferedPayment {
  /** The time just before its request was written. */
  readonly writtenAt: number;
  /** The delay of the request after its due time. */
  readonly late: number;
  /** The status of the answer. Null if the connection broke; undefined if there was no answer. */
  status?: number | null;
  hasRetryAfter?: boolean;
  answeredAt?: number;
  /** The times at which its webhook was read to the end. */
  readonly received: number[];
  /** The number of payments of its checkout that the API lists in the end. */
  recorded: number;
}

/** A load of payments a second, for a number of seconds. Zero payments a second is a pause. */
export interface Phase {
  readonly perSecond: number;
  readonly seconds: number;
}

/** A phase with all its payments. */
export interface Offer extends Phase {
  readonly payments: readonly OfferedPayment[];
}

/** Opens ten businesses with an endpoint each, at a running local stack. */
export const openShops = async (stack: Stack) => {
  const file = readStackFile(stack.dataDir);
  if (!file) throw new Error('The stack has not written its stack file.');
  useLocalAws(file);
  const table = connectTable({ TABLE_NAME: file.tableName, DUE_SHARDS: file.dueShards });
  const offered = new Map<string, OfferedPayment>();
  const onWebhook = (body: string): void => {
    const at = performance.now();
    offered.get(readReference(body))?.received.push(at);
  };
  const shops = await Promise.all(
    Array.from({ length: BUSINESSES }, async (_, i) => {
      const business = await openBusiness(stack, `Bench Business ${i}`);
      const receiver = await startRawReceiver(onWebhook);
      await stack.ops('endpoint', 'create', '--business', business.id, '--mode', 'test', '--url', receiver.url);
      const poster = createPoster(
        new URL(`${stack.baseUrl}/api/v1/checkout/sandbox/simulate`),
        business.secretTest.key,
      );
      const body = { amount: 8_500.75, payer_email: 'ngozi.eze@example.com' };
      const { json } = await business.api('POST', '/checkout/initialize', { body });
      const template = await getItem(table, checkoutKey(json.data.reference));
      if (!template) throw new Error('The service wrote no checkout.');
      return { business, receiver, poster, template };
    }),
  );

  /** Pays a checkout and records the outcome. */
  const pay = async ({ poster }: (typeof shops)[number], reference: string, late: number): Promise<void> => {
    const payment: OfferedPayment = { writtenAt: performance.now(), late, received: [], recorded: 0 };
    offered.set(reference, payment);
    const answer = await poster.ask(JSON.stringify({ reference }));
    payment.answeredAt = performance.now();
    payment.status = answer?.status ?? null;
    payment.hasRetryAfter = answer !== null && /\r\nretry-after: *\d/i.test(answer.head);
  };

  /** Pays a phase's checkouts, each at its due time, without waiting for earlier ones. */
  const payPhase = async ({ perSecond, seconds }: Phase, stock: readonly string[], paying: Set<Promise<void>>) => {
    const startedAt = performance.now();
    for (const [i, reference] of stock.entries()) {
      const due = startedAt + (i * 1_000) / perSecond;
      const waitMs = due - performance.now();
      if (waitMs > 1) await wait(waitMs);
      const shop = shops[i % BUSINESSES];
      if (!shop) throw new Error('There is no such shop.');
      const payment = pay(shop, reference, performance.now() - due).finally(() => paying.delete(payment));
      paying.add(payment);
    }
    const remainingMs = startedAt + seconds * 1_000 - performance.now();
    if (remainingMs > 0) await wait(remainingMs);
  };

  /** Counts the payments that a business's list shows for each checkout. */
  const countRecorded = async ({ business }: (typeof shops)[number]): Promise<void> => {
    for (let cursor = ''; ; ) {
      const { json } = await business.api('GET', `/payments?limit=100${cursor}`);
      for (const { checkout_reference } of json.data) {
        const payment = offered.get(checkout_reference);
        if (payment) payment.recorded += 1;
      }
      if (!json.meta.has_more) return;
      cursor = `&cursor=${json.meta.next_cursor}`;
    }
  };

  /** Makes the checkouts of a phase, of the businesses in turn. Returns their references. */
  const makeStock = async ({ perSecond, seconds }: Phase): Promise<string[]> => {
    const total = Math.round(perSecond * seconds);
    const stocks = await Promise.all(
      shops.map(({ template }) =>
        fillCheckouts(table, Math.ceil(total / BUSINESSES), { pending: template, paid: template }),
      ),
    );
    const inTurn = Array.from({ length: total }, (_, i) => stocks[i % BUSINESSES]?.[Math.floor(i / BUSINESSES)]);
    return inTurn.filter((reference) => reference !== undefined);
  };

  /**
   * Offers payments in an open loop, phase by phase. Then waits for every answer and for every webhook of an accepted payment, and counts
   * the payments that the API lists.
   */
  const offer = async (...phases: readonly Phase[]): Promise<Offer[]> => {
    const stocks = await Promise.all(phases.map(makeStock));
    offered.clear();
    const paying = new Set<Promise<void>>();
    for (const [i, phase] of phases.entries()) {
      await payPhase(phase, stocks[i] ?? [], paying);
    }
    const deadline = performance.now() + ENDS_WITHIN_MS;
    const isOpen = (): boolean =>
      paying.size > 0 || [...offered.values()].some(({ status, received }) => status === 200 && received.length === 0);
    while (isOpen() && performance.now() < deadline) await wait(50);
    for (const shop of shops) await countRecorded(shop);
    return phases.map((phase, i) => ({
      ...phase,
      payments: (stocks[i] ?? []).flatMap((reference) => offered.get(reference) ?? []),
    }));
  };

  const stop = async (): Promise<void> => {
    for (const { poster } of shops) poster.stop();
    await Promise.all(shops.map(({ receiver }) => receiver.stop()));
  };
  return { offer, stop };
};

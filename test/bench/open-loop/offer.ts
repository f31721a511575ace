import { setTimeout as wait } from 'node:timers/promises';
import { checkoutKey } from '#shared/adapters/dynamodb/table/keys.ts';
import { getItem } from '#shared/adapters/dynamodb/table/table.ts';
import { fillCheckouts } from '#test/bench/fill.ts';
import { joinStack } from '#test/bench/joined-stack.ts';
import { rawPoster, startRawReceiver } from '#test/bench/raw-http.ts';
import { openBusiness } from '#test/support/worlds/merchant.ts';
import type { Stack } from '#test/support/worlds/stack.ts';
import { type ProcessorTime, watchProcess } from './processor-time.ts';

const BUSINESSES = 10;
/** After the last request: whoever has no answer or webhook by then has lost it. */
const ENDS_WITHIN_MS = 60_000;
const REFERENCE = /"reference":"(PAY-[0-9A-Z]+)"/;

/** One payment that was asked for. Times are milliseconds of `performance.now`. */
interface Offered {
  /** Just before its request was written. */
  readonly writtenAt: number;
  /** How much later than due. */
  readonly late: number;
  /** Null: the connection broke. Undefined: there was no answer. */
  status?: number | null;
  hasRetryAfter?: boolean;
  answeredAt?: number;
  /** Each time its webhook was read to the end. */
  readonly received: number[];
}

/** What an offer came to. */
export interface Offer {
  readonly perSecond: number;
  readonly seconds: number;
  readonly payments: readonly Offered[];
  readonly processors: ProcessorTime;
}

/** Ten businesses with an endpoint each, at a running stack. */
export const openShops = async (stack: Stack) => {
  const { table } = joinStack(stack);
  const offered = new Map<string, Offered>();
  const onWebhook = (body: string): void => {
    const at = performance.now();
    offered.get(REFERENCE.exec(body)?.[1] ?? '')?.received.push(at);
  };
  const shops = await Promise.all(
    Array.from({ length: BUSINESSES }, async (_, i) => {
      const business = await openBusiness(stack, `Bench Business ${i}`);
      const receiver = await startRawReceiver({ hangs: false, onBody: onWebhook });
      await stack.ops('endpoint', 'create', '--business', business.id, '--mode', 'test', '--url', receiver.url);
      const poster = rawPoster(new URL(`${stack.baseUrl}/api/v1/checkout/sandbox/simulate`), business.secretTest.key);
      const body = { amount: 8_500.75, payer_email: 'ngozi.eze@example.com' };
      const { json } = await business.api('POST', '/checkout/initialize', { body });
      const like = await getItem(table, checkoutKey(json.data.reference));
      if (!like) throw new Error('The service wrote no checkout.');
      return { receiver, poster, like };
    }),
  );

  /** Pays a checkout and notes how that went. */
  const pay = async ({ poster }: (typeof shops)[number], reference: string, late: number): Promise<void> => {
    const payment: Offered = { writtenAt: performance.now(), late, received: [] };
    offered.set(reference, payment);
    const answer = await poster.ask(JSON.stringify({ reference }));
    payment.answeredAt = performance.now();
    payment.status = answer?.status ?? null;
    payment.hasRetryAfter = answer !== null && /\r\nretry-after: *\d/i.test(answer.head);
  };

  /**
   * Offers so many payments a second for so long, in an open loop: each is sent when it is due, whatever has become of those before. Then
   * waits until every answer and every webhook of an answered payment is there.
   */
  const offer = async (perSecond: number, seconds: number): Promise<Offer> => {
    const total = Math.round(perSecond * seconds);
    const stock = await Promise.all(
      shops.map(async ({ like }) => [
        ...(await fillCheckouts(table, Math.ceil(total / BUSINESSES), { pending: like, paid: like })),
      ]),
    );
    offered.clear();
    const taken = watchProcess(stack.child.pid ?? 0);
    const startedAt = performance.now();
    const paying = new Set<Promise<void>>();
    for (let i = 0; i < total; i++) {
      const due = startedAt + (i * 1_000) / perSecond;
      const early = due - performance.now();
      if (early > 1) await wait(early);
      const shop = shops[i % BUSINESSES];
      const reference = stock[i % BUSINESSES]?.pop();
      if (!shop || reference === undefined) throw new Error('There are no checkouts left.');
      const one = pay(shop, reference, performance.now() - due).finally(() => paying.delete(one));
      paying.add(one);
    }
    const deadline = performance.now() + ENDS_WITHIN_MS;
    const isOpen = (): boolean =>
      paying.size > 0 || [...offered.values()].some(({ status, received }) => status === 200 && received.length === 0);
    while (isOpen() && performance.now() < deadline) await wait(50);
    return { perSecond, seconds, payments: [...offered.values()], processors: taken() };
  };

  const stop = async (): Promise<void> => {
    for (const { poster } of shops) poster.stop();
    await Promise.all(shops.map(({ receiver }) => receiver.stop()));
  };
  return { offer, stop };
};

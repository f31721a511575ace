import { setTimeout as wait } from 'node:timers/promises';
import { checkoutKey } from '#shared/adapters/dynamodb/table/keys.ts';
import { getItem } from '#shared/adapters/dynamodb/table/table.ts';
import { simulateCheckoutPayment } from '#shared/use-cases/checkouts/simulate-checkout-payment.ts';
import { openBusiness } from '#test/support/worlds/merchant.ts';
import type { Stack } from '#test/support/worlds/stack.ts';
import { startBareSide } from './bare-side.ts';
import { fillCheckouts } from './fill.ts';
import { inFull, joinStack } from './joined-stack.ts';
import { watchProcessors } from './machine.ts';
import { rawPoster, startRawReceiver } from './raw-http.ts';
import { latencies } from './statistics.ts';
import { referenceIn } from './webhook-body.ts';

const SECONDS = 15;
const MERCHANTS = 10;
const ARRIVES_WITHIN_MS = 10_000;

/** When a webhook's event was recorded, from its body, in milliseconds since the epoch. */
const landedAt = (body: string): number => Date.parse(JSON.parse(body).timestamp);

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

/**
 * How payments are made to land: by requests, which the stack answers on the same machine; by what such a request calls; or by the
 * same calls of our AWS client alone, on a queue of their own from which a bare consumer delivers.
 */
export type LandedBy = 'requests over HTTP' | 'the use case' | 'bare calls';

/** What lands payments at a stack, with the bare consumer if that delivers. It is warmed up once, like the stack. */
export const openSide = async (stack: Stack, landedBy: LandedBy) => {
  const joined = joinStack(stack);
  const bare = landedBy === 'bare calls' ? await startBareSide(joined) : undefined;
  return { stack, landedBy, joined, bare, stop: async () => bare?.stop() };
};
type Side = Awaited<ReturnType<typeof openSide>>;

/**
 * Landing → received, at a rate of landings a second spread over ten merchants, `hanging` of which never answer: what the
 * healthy ones notice. Both ends of the measurement are clocks of this machine. It begins just before a request is written; where the
 * use case or bare calls land, nothing waits before them, and it begins at the event's own time.
 * Each merchant's first checkout comes from the API and the others are written like it: the engine walks through the tokens of all
 * transactions of the last ten minutes at each new one, which DynamoDB does not.
 */
export const measureLatency = async (side: Side, perSecond: number, hanging: number) => {
  const { stack, landedBy, bare } = side;
  const { table, deps } = side.joined;
  const total = perSecond * SECONDS;
  const merchants = await Promise.all(
    Array.from({ length: MERCHANTS }, async (_, i) => {
      const merchant = await openBusiness(stack, `Bench Merchant ${i}`);
      const receiver = await startRawReceiver({ hangs: i < hanging });
      await stack.ops('endpoint', 'create', '--business', merchant.id, '--mode', 'test', '--url', receiver.url);
      const poster = rawPoster(new URL(`${stack.baseUrl}/api/v1/checkout/sandbox/simulate`), merchant.secretTest.key);
      const body = { amount: 8_500.75, payer_email: 'ngozi.eze@example.com' };
      const { json } = await merchant.api('POST', '/checkout/initialize', { body });
      const first = await getItem(table, checkoutKey(json.data.reference));
      if (!first) throw new Error('The service wrote no checkout.');
      const references = [...(await fillCheckouts(table, total / MERCHANTS, { pending: first, paid: first }))];
      const landBare = await bare?.landingFor(merchant.id, json.data.reference);
      return { merchant, receiver, poster, landBare, references, landed: 0 };
    }),
  );
  const of = (i: number) => merchants[i % MERCHANTS] ?? Promise.reject(new Error('There are no merchants.'));

  /** Just before the request for a payment was written, by the reference of its checkout. */
  const writtenAt = new Map<string, number>();
  const beganAt = (body: string): number => writtenAt.get(referenceIn(body)) ?? landedAt(body);
  const ways: Record<LandedBy, (payee: Awaited<ReturnType<typeof of>>, reference: string) => Promise<boolean>> = {
    'requests over HTTP': async ({ poster }, reference) => {
      writtenAt.set(reference, Date.now());
      return (await poster.post(JSON.stringify({ reference }))) === 200;
    },
    'the use case': ({ merchant: { id } }, reference) =>
      succeeds(simulateCheckoutPayment(deps, { businessId: id, mode: 'test' }, inFull(reference), () => undefined)),
    'bare calls': ({ landBare }, reference) => {
      if (!landBare) throw new Error('There is no bare side.');
      return succeeds(landBare(reference));
    },
  };
  const land = async (payee: Awaited<ReturnType<typeof of>>): Promise<void> => {
    if (await ways[landedBy](payee, payee.references.pop() ?? '')) payee.landed += 1;
  };

  const busy = watchProcessors();
  const startedAt = Date.now();
  const paying: Promise<unknown>[] = [];
  for (let i = 0; i < total; i++) {
    const due = startedAt + (i * 1_000) / perSecond;
    const early = due - Date.now();
    if (early > 0) await wait(early);
    paying.push(land(await of(i)));
  }
  await Promise.all(paying);
  const tookMs = Date.now() - startedAt;
  const processors = busy();
  const healthy = merchants.slice(hanging);
  const expected = healthy.reduce((sum, { landed }) => sum + landed, 0);
  const received = () => healthy.flatMap(({ receiver }) => receiver.received);
  const deadline = Date.now() + ARRIVES_WITHIN_MS;
  while (received().length < expected && Date.now() < deadline) await wait(20);
  const lags = received().map(({ body, at }) => at - beganAt(body));
  for (const { poster } of merchants) poster.stop();
  await Promise.all(merchants.map(({ receiver }) => receiver.stop()));
  return {
    'landed by': landedBy,
    'landings/s asked': perSecond,
    'landings/s made': Math.round((total * 1_000) / tookMs),
    'processors busy': `${processors} %`,
    'endpoints hanging': `${hanging} of ${MERCHANTS}`,
    refused: total - merchants.reduce((sum, { landed }) => sum + landed, 0),
    missing: expected - lags.length,
    ...latencies(lags),
  };
};

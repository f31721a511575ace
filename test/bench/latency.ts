import { setTimeout as wait } from 'node:timers/promises';
import { openBusiness } from '#test/support/merchant.ts';
import type { Stack } from '#test/support/stack.ts';
import { rawPoster, startRawReceiver } from './raw-http.ts';
import { latencies } from './statistics.ts';

const SECONDS = 15;
const MERCHANTS = 10;
const ARRIVES_WITHIN_MS = 10_000;
const ABREAST = 20;

/** When a webhook's event was recorded, from its body, in milliseconds since the epoch. */
const landedAt = (body: string): number => Date.parse(JSON.parse(body).timestamp);

const inBatches = async (count: number, work: (i: number) => Promise<void>): Promise<void> => {
  for (let i = 0; i < count; i += ABREAST) {
    await Promise.all(Array.from({ length: Math.min(ABREAST, count - i) }, (_, k) => work(i + k)));
  }
};

/**
 * Landing → received, at a rate of landings a second spread over ten merchants, `hanging` of which never answer: what the
 * healthy ones notice. The payments are simulated over HTTP; both ends of the measurement are clocks of this machine.
 */
export const measureLatency = async (stack: Stack, perSecond: number, hanging: number) => {
  const merchants = await Promise.all(
    Array.from({ length: MERCHANTS }, async (_, i) => {
      const merchant = await openBusiness(stack, `Bench Merchant ${i}`);
      const receiver = await startRawReceiver({ hangs: i < hanging });
      await stack.ops('endpoint', 'create', '--business', merchant.id, '--mode', 'test', '--url', receiver.url);
      const poster = rawPoster(new URL(`${stack.baseUrl}/api/v1/checkout/sandbox/simulate`), merchant.secretTest.key);
      return { merchant, receiver, poster, references: [] as string[], landed: 0 };
    }),
  );
  const total = perSecond * SECONDS;
  const of = (i: number) => merchants[i % MERCHANTS] ?? Promise.reject(new Error('There are no merchants.'));
  await inBatches(total, async (i) => {
    const { merchant, references } = await of(i);
    const { json } = await merchant.api('POST', '/checkout/initialize', {
      body: { amount: 8_500.75, payer_email: 'ngozi.eze@example.com' },
    });
    references.push(json.data.reference);
  });

  const land = async (payee: Awaited<ReturnType<typeof of>>): Promise<void> => {
    const status = await payee.poster.post(JSON.stringify({ reference: payee.references.pop() }));
    if (status === 200) payee.landed += 1;
  };

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
  const healthy = merchants.slice(hanging);
  const expected = healthy.reduce((sum, { landed }) => sum + landed, 0);
  const received = () => healthy.flatMap(({ receiver }) => receiver.received);
  const deadline = Date.now() + ARRIVES_WITHIN_MS;
  while (received().length < expected && Date.now() < deadline) await wait(20);
  const lags = received().map(({ body, at }) => at - landedAt(body));
  for (const { poster } of merchants) poster.stop();
  await Promise.all(merchants.map(({ receiver }) => receiver.stop()));
  return {
    'landings/s asked': perSecond,
    'landings/s made': Math.round((total * 1_000) / tookMs),
    'endpoints hanging': `${hanging} of ${MERCHANTS}`,
    refused: total - merchants.reduce((sum, { landed }) => sum + landed, 0),
    missing: expected - lags.length,
    ...latencies(lags),
  };
};

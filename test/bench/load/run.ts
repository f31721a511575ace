import { setTimeout as wait } from 'node:timers/promises';
import { inParallel, newClient } from '#test/bench/requests.ts';
import { seeded } from '#test/support/chaos/random.ts';
import type { watchSecrets } from '#test/support/hostile/secrets-seen.ts';
import type { Stack } from '#test/support/worlds/stack.ts';
import { type Books, compareBooks } from './books.ts';
import { openMerchants } from './merchants.ts';
import { type Recovery, recoverAll, switchOff } from './recovery.ts';
import { drawAction, noTraffic, type Scene, sell, type Traffic } from './traffic.ts';

export interface LoadOptions {
  readonly merchants: number;
  /** Seconds of both phases together. In the first all endpoints are healthy; in the second some are slow, dead, flapping or gone, and recover after it. */
  readonly seconds: number;
  /** Seconds of the same traffic before the first phase. It is compared too, but its latencies are not counted. */
  readonly warmUpSeconds: number;
  /** Actions of all merchants a second. An action is one request or a few. */
  readonly perSecond: number;
  /** How long a slow endpoint takes to answer, in milliseconds. */
  readonly slowMs: number;
  readonly seed: number;
}

export interface LoadResult {
  readonly books: Books;
  readonly traffic: Traffic;
  readonly recovery: Recovery;
  /** Landing → received at the endpoints of healthy merchants, in milliseconds, by phase. */
  readonly lags: { readonly allHealthy: readonly number[]; readonly someNot: readonly number[] };
  /** Requests a second that were made. */
  readonly requestsPerSecond: number;
}

/** Actions at once. More would mean that the service does not keep up, so merchants wait. */
const MAX_CONCURRENT = 200;
/** Sales at once at the beginning of a phase, when every merchant sells something. Few, so that it is no burst. */
const MAX_CONCURRENT_SALES = 4;

/**
 * Lets merchants trade for a while, lets every endpoint recover, and compares the merchants' records with the service's. Afterwards only the
 * stack still runs. A test gives `watch`, which searches the log for secrets of the traffic.
 */
export const runLoad = async (
  stack: Stack,
  options: LoadOptions,
  watch?: ReturnType<typeof watchSecrets>,
): Promise<LoadResult> => {
  const { seconds, warmUpSeconds, perSecond, slowMs } = options;
  const openedAt = new Date();
  const client = newClient(stack.baseUrl, watch);
  const merchants = await openMerchants(stack, client, options.merchants, slowMs);
  const traffic = noTraffic();
  const draw = seeded(options.seed);
  const scene: Scene = { client, traffic, draw };

  const busy = new Set<Promise<void>>();
  let acted = 0;
  const trade = async (forSeconds: number): Promise<void> => {
    const startedAt = performance.now();
    for (let i = 0; i < forSeconds * perSecond; i++) {
      const early = startedAt + (i * 1_000) / perSecond - performance.now();
      if (early > 0) await wait(early);
      if (busy.size >= MAX_CONCURRENT) await Promise.race(busy);
      const merchant = merchants[acted++ % merchants.length];
      if (!merchant) throw new Error('There are no merchants.');
      const acting = drawAction(draw)(scene, merchant).finally(() => busy.delete(acting));
      busy.add(acting);
    }
    await Promise.all(busy);
  };

  const everyoneSells = (): Promise<void> =>
    inParallel(merchants.length, MAX_CONCURRENT_SALES, async (i) => {
      const merchant = merchants[i];
      if (merchant) await sell(scene, merchant);
    });

  const startedAt = performance.now();
  await everyoneSells();
  await trade(warmUpSeconds);
  const firstFrom = Date.now();
  await trade(seconds / 2);
  const firstUntil = Date.now();
  await Promise.all(merchants.flatMap(({ hooks }) => hooks).map((hook) => hook.misbehave()));
  await everyoneSells();
  const secondFrom = Date.now();
  await trade(seconds / 2);
  const requestsPerSecond = (traffic.times.length * 1_000) / (performance.now() - startedAt);

  for (const merchant of merchants) if (merchant.kind === 'gone') await switchOff(client, merchant);
  const recovery = await recoverAll(client, merchants, openedAt);
  const books = await compareBooks(client, merchants);
  const received = merchants
    .filter(({ kind }) => kind === 'healthy')
    .flatMap(({ hooks }) => hooks)
    .flatMap(({ got }) => [...got.values()])
    .map(({ at, lag }) => ({ landedAt: at - lag, lag }));
  const lags = {
    allHealthy: received.filter(({ landedAt }) => landedAt >= firstFrom && landedAt < firstUntil).map(({ lag }) => lag),
    someNot: received.filter(({ landedAt }) => landedAt >= secondFrom).map(({ lag }) => lag),
  };
  await Promise.all(merchants.flatMap(({ hooks }) => hooks).map((hook) => hook.stop()));
  client.close();
  return { books, traffic, recovery, lags, requestsPerSecond };
};

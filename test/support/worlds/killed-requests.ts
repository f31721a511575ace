import { SECOND } from '#shared/platform/kernel/time.ts';
import type { EventType } from '#shared/webhooks/domain/event.ts';
import type { ApiAnswer, createApiClient } from './api-client.ts';
import type { LiveWorld } from './live-world.ts';
import { type Callee, createMortalProcesses, type MortalProcesses } from './mortal-processes.ts';
import type { World } from './world.ts';

/* Kills the process of a request with an Idempotency-Key before or after each of its calls, and checks the repair. */

export type Api = ReturnType<typeof createApiClient>;
export type Headers = Record<string, string>;
/** Creates the objects that a request needs, and returns the request. */
export type Prepare = () => Promise<(client: Api, headers: Headers) => Promise<ApiAnswer>>;

/** The repair after a killed process: only the repeat, or the sweeper and then the repeat. */
export const REPAIRS = ['repeat', 'sweeper'] as const;
export type Repair = (typeof REPAIRS)[number];

/** A request, and the calls of its work. */
export interface KilledRequest {
  readonly prepare: Prepare;
  readonly calls: readonly Callee[];
  readonly repair: Repair;
  /** Events of this type are not counted, because passing time or the repairing sweeper may add some. */
  readonly uncounted?: EventType;
}

/** The world in which requests are played. */
export interface Stage {
  readonly world: World & Partial<Pick<LiveWorld, 'settings' | 'stageUrl' | 'simulator'>>;
  readonly clientOf: (world: World) => Api;
  /** Lets the scheduled functions and the queue do all due work, after the request. */
  readonly settle: () => Promise<void>;
  /** Counts the effects outside the table. */
  readonly outside: () => Promise<Record<string, number>> | Record<string, number>;
}

/** Items that are not compared, because a repeat changes them again or they are no effect of the request. */
const NOT_COMPARED = /^(HEALTH|RATE|HAND|USED|LAST|LEASE|RECON)|BREAKER/;

/** The state of the world at one moment. */
export interface Stock {
  /** The number of items of each family, of redeliveries, and of effects outside the table. */
  readonly sums: Readonly<Record<string, number>>;
  /** The intents and claims that are not settled. */
  readonly open: readonly unknown[];
}

/** Reads the current state by one scan of the table. */
export const takeStock = async ({ world, outside }: Stage, uncounted: EventType | undefined): Promise<Stock> => {
  const sums: Record<string, number> = { ...(await outside()) };
  const items = await world.itemsOf('');
  for (const { pk, sk, redeliveries, type, eventType } of items) {
    if (NOT_COMPARED.test(`${pk} ${sk}`) || (uncounted && (eventType ?? type) === uncounted)) continue;
    const family = `${String(pk).split('#')[0]} ${String(sk).split('#')[0]}`;
    sums[family] = (sums[family] ?? 0) + 1;
    sums[`${family} redeliveries`] = (sums[`${family} redeliveries`] ?? 0) + Number(redeliveries ?? 0);
  }
  const open = items.filter(
    ({ sk, status, leaseUntil }) => status === 'opening' || (sk === 'IDEM' && leaseUntil !== undefined),
  );
  return { sums, open };
};

/** Computes the difference between two states. */
export const added = (before: Stock, after: Stock): Record<string, number> => {
  const gains = Object.entries(after.sums).map(([family, sum]) => [family, sum - (before.sums[family] ?? 0)] as const);
  return Object.fromEntries(gains.filter(([, gain]) => gain !== 0));
};

/** Kills the process of a request before and after each of its calls. Each time its repeat must have one effect and one answer. */
const playKills = async (
  stage: Stage,
  processes: MortalProcesses,
  { prepare, calls, repair, uncounted }: KilledRequest,
): Promise<void> => {
  const { world, clientOf, settle } = stage;
  const api = clientOf(world);
  await settle();
  const first = await takeStock(stage, uncounted);
  const uninterrupted = await (await prepare())(api, { 'idempotency-key': 'alive' });
  await settle();
  let before = await takeStock(stage, uncounted);
  const expected = added(first, before);
  const killed = new Set<string>();
  for (const when of ['before', 'after'] as const) {
    for (let at = 1, callee: Callee | undefined = 'table'; callee; at += 1) {
      const headers = { 'idempotency-key': `${repair}-${when}-${at}` };
      const request = await prepare();
      callee = await processes.kill(world, { at, when }, (dying) => request(clientOf(dying), headers));
      if (callee) killed.add(`${when} ${callee}`);
      // The killed process has no call under way any more, and the lease of its request has ended.
      world.clock.advance(31 * SECOND);
      if (repair === 'sweeper') await world.sweep();
      const retried = await request(api, headers);
      expect([when, at, retried.status, retried.text]).toEqual([when, at, uninterrupted.status, expect.any(String)]);
      const again = await request(api, headers);
      expect([again.text, again.headers['idempotent-replayed']]).toEqual([retried.text, 'true']);
      await settle();
      const last = await request(api, headers);
      expect(last.text).toBe(retried.text);
      const after = await takeStock(stage, uncounted);
      expect({ repair, when, at, callee, ...added(before, after) }).toEqual({ repair, when, at, callee, ...expected });
      expect(after.open).toEqual([]);
      before = after;
    }
  }
  expect([...killed].toSorted()).toEqual(
    (['after', 'before'] as const).flatMap((when) => calls.toSorted().map((callee) => `${when} ${callee}`)),
  );
};

/** Kills the process of a request before and after each of its calls, in processes that end with it. Expects one effect and one answer. */
export const playKilledRequest = async (stage: Stage, request: KilledRequest): Promise<void> => {
  const processes = createMortalProcesses();
  try {
    await playKills(stage, processes, request);
  } finally {
    await processes.stop();
  }
};

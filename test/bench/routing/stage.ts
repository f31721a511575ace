import { setTimeout as wait } from 'node:timers/promises';
import { initializeCheckoutHandler } from '#functions/initialize-checkout/handler.ts';
import type { ApiHandler } from '#shared/api/http/types.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import { runtime } from '#shared/platform/runtime.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { healthyFirst } from '#shared/providers/healthy-first.ts';
import type { ProviderSettings } from '#shared/providers/settings.ts';
import { healthReader } from '#shared/providers/store/health-store.ts';
import { openingCounter } from '#shared/providers/store/opening-counter.ts';
import { providerBreakerStore } from '#shared/providers/store/provider-breaker-store.ts';
import { apiEvent, lambdaContext } from '#test/support/worlds/api-event.ts';
import { makeProvidersWith } from '#test/support/worlds/live-faults.ts';
import { makeLiveWorld } from '#test/support/worlds/live-world.ts';
import { UNUSED_URL } from '#test/support/worlds/world.ts';
import { type Door, openDoor } from './door.ts';

const BUSINESSES = 5;
/** Milliseconds between two reads of the queues of money work. */
const CONSUME_EACH_MS = 200;

/** Returns the real clock, which can be put forward. */
const realClock = () => {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    advance: (milliseconds: number): void => {
      ahead += milliseconds;
    },
  };
};

/** The answer to a request that starts a checkout. */
export interface Answer {
  readonly status: number;
  /** Undefined if no checkout was started. */
  readonly reference: string | undefined;
  readonly provider: ProviderName | undefined;
}

type World = Awaited<ReturnType<typeof makeLiveWorld>>;
/** The providers as each process makes them for itself. */
type ProcessDeps = { readonly providers: Pick<World['deps'], 'providers' | 'liveProviders'> };

/**
 * Makes containers of initialize-checkout as Lambda keeps them. Each works on one request at a time, and remembers for itself what
 * providers answered and how many accounts they opened. A request goes to the container that was used last, or to a new one.
 */
const openContainers = ({ table, deps }: World, processProviders: () => ProcessDeps['providers']) => {
  const idle: ApiHandler[] = [];
  let started = 0;
  const start = (): ApiHandler => {
    started += 1;
    return initializeCheckoutHandler({
      ...deps,
      ...processProviders(),
      openings: openingCounter(table, deps),
      healthyFirst: healthyFirst({ ...deps, draw: runtime.draw, health: healthReader(table) }),
    });
  };
  const initialize = async (key: string, body: Readonly<Record<string, unknown>>): Promise<Answer> => {
    const container = idle.pop() ?? start();
    const headers = { authorization: `Bearer ${key}` };
    const event = apiEvent({ method: 'POST', path: '/api/v1/checkout/initialize', headers, body });
    const answer = await container(event, lambdaContext());
    idle.push(container);
    const { data } = JSON.parse(String(answer.body));
    return { status: answer.statusCode ?? 0, reference: data?.reference, provider: data?.provider };
  };
  return { initialize, count: () => started };
};

/**
 * Opens a stage with three simulated providers, each behind a door of its own, and with businesses that route.
 * The clock and all time-outs are real. `order`: the stage's order of providers.
 */
export const openStage = async (order: readonly ProviderName[]) => {
  const world = await makeLiveWorld({ routingOrder: order, clock: realClock() });
  const doors = new Map<ProviderName, Door>();
  for (const name of PROVIDERS) doors.set(name, await openDoor(world.simulator.origin));
  const throughDoor = (name: string, baseUrl: string): string =>
    baseUrl.replace(world.simulator.origin, doors.get(name as ProviderName)?.origin ?? '');
  const settings: ProviderSettings = Object.fromEntries(
    Object.entries(world.settings).map(([name, provider]) => [
      name,
      provider && { ...provider, baseUrl: throughDoor(name, provider.baseUrl) },
    ]),
  );
  const processProviders = () => makeProvidersWith(world, settings, {}, providerBreakerStore(world.table));
  const containers = openContainers(world, processProviders);
  const businesses = await Promise.all(
    Array.from({ length: BUSINESSES }, () => world.addBusiness([UNUSED_URL], 'live', true)),
  );
  const background = processProviders();

  /** Starts the background work: the scheduled functions each minute, and a consumer for each provider's money work. */
  const startBackground = () => {
    const ending = new AbortController();
    const { signal } = ending;
    const repeat = async (milliseconds: number, work: () => Promise<unknown>): Promise<void> => {
      while (await wait(milliseconds, true, { signal }).catch(() => false)) await work();
    };
    const loops = [
      repeat(MINUTE, () => world.dispatch(background)),
      ...PROVIDERS.map((name) => repeat(CONSUME_EACH_MS, () => world.consumeMoney([name], background))),
    ];
    return async (): Promise<void> => {
      ending.abort();
      await Promise.all(loops);
    };
  };

  return {
    world,
    doors,
    keys: businesses.map(({ keys }) => keys.secret_live),
    initialize: containers.initialize,
    countContainers: containers.count,
    startBackground,
    /** Puts the clock forward by minutes. The scheduled functions and consumers then do the work that is due. */
    passMinutes: (minutes: number): Promise<void> => world.sweepAfter(minutes * MINUTE, background),
    stop: async (): Promise<void> => {
      for (const door of doors.values()) await door.shut();
      await world.stop();
    },
  };
};
export type Stage = Awaited<ReturnType<typeof openStage>>;

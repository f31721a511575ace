import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '#infra/local/simulator/simulator.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { inParallel } from '#test/bench/requests.ts';
import { type Answer, openStage, type Stage } from './stage.ts';

/** The number of counted checkouts of a scene, and how many are started a second. */
export interface Load {
  readonly count: number;
  readonly perSecond: number;
}

/** Concurrent requests before the provider fails. Each has its own container, so this many containers know that the provider has just answered. */
const WARM_UP_REQUESTS = 50;
const AMOUNT = 8_500;
/** AMOUNT in kobo. */
const AMOUNT_KOBO = 850_000;
/** Seconds: long, so that no checkout expires while attempts are settled. */
const EXPIRES_IN = 2 * 3_600;
/** The most minutes, from when the provider works again, until no attempt is unknown. Half an hour and one more try should be enough. */
const SETTLES_WITHIN_MINUTES = 60;

/** A way in which a provider fails. */
export type Failure =
  | { readonly kind: 'none' }
  | { readonly kind: 'dead' }
  | { readonly kind: 'faulty'; readonly fault: Fault };

interface StartedCheckout extends Answer {
  /** Milliseconds until the answer, and milliseconds by which the start was late. */
  readonly ms: number;
  readonly late: number;
}

/** A stored checkout with its attempts, or an intent that is not settled yet. */
interface StoredCheckout {
  readonly reference: string;
  readonly status: string;
  readonly paidAmount?: number;
  readonly attempts: readonly {
    readonly provider: ProviderName;
    readonly reference: string;
    readonly state: string;
    readonly shownAt?: number;
  }[];
}

const readStored = async ({ world }: Stage): Promise<readonly StoredCheckout[]> =>
  (await world.itemsOf('CHK')) as never;

const isUnsettled = ({ status, attempts }: StoredCheckout): boolean =>
  status === 'opening' || attempts.some(({ state }) => state === 'unknown');

const fail = async ({ world, doors }: Stage, provider: ProviderName, failure: Failure): Promise<void> => {
  if (failure.kind === 'dead') await doors.get(provider)?.shut();
  if (failure.kind === 'faulty') world.simulator.fault(provider, failure.fault);
};
const mend = async ({ world, doors }: Stage, provider: ProviderName, failure: Failure): Promise<void> => {
  if (failure.kind === 'dead') await doors.get(provider)?.open();
  world.simulator.fault(provider, null);
  // Slow calls that are under way end by the real clock. This waits for them, because the clock is put forward next.
  if (failure.kind === 'faulty' && failure.fault.kind === 'slow') await wait(failure.fault.ms);
};

const makeBody = (n: number) => ({
  amount: AMOUNT,
  payer_email: 'chidi.eze@example.com',
  merchant_reference: `INV-${n}`,
  expires_in: EXPIRES_IN,
});

/** Starts checkouts of all businesses in turn, each at its due time, without waiting for earlier ones. */
const startAll = async (stage: Stage, { count, perSecond }: Load): Promise<readonly StartedCheckout[]> => {
  const begin = performance.now();
  const start = async (n: number): Promise<StartedCheckout> => {
    const at = performance.now();
    const late = at - begin - (n * 1_000) / perSecond;
    const answer = await stage.initialize(stage.keys[n % stage.keys.length] ?? '', makeBody(n));
    return { ...answer, ms: performance.now() - at, late };
  };
  const starting: Promise<StartedCheckout>[] = [];
  for (let n = 0; n < count; n++) {
    const early = begin + (n * 1_000) / perSecond - performance.now();
    if (early > 0) await wait(early);
    starting.push(start(n));
  }
  return Promise.all(starting);
};

/** Puts the clock forward until no attempt is unknown. */
const settleAll = async (stage: Stage): Promise<{ readonly minutes: number; readonly left: number }> => {
  for (let minutes = 0; ; minutes += 2) {
    const left = (await readStored(stage)).filter(isUnsettled).length;
    if (left === 0 || minutes >= SETTLES_WITHIN_MINUTES) return { minutes, left };
    await stage.passMinutes(2);
    await stage.world.simulator.settled();
  }
};

/** Pays every account of the checkouts with two accounts. Counts the checkouts paid twice, and those shown as overpaid by the exact sum. */
const payTwice = async (stage: Stage) => {
  const { world } = stage;
  const { books } = world.simulator;
  const isOpen = ({ state }: StoredCheckout['attempts'][number]): boolean => state === 'open';
  const hasTwoOpen = ({ attempts }: StoredCheckout): boolean => attempts.filter(isOpen).length > 1;
  const numbers = new Map(
    books.accounts().map(({ provider, reference, number }) => [`${provider} ${reference}`, number]),
  );
  const open = (await readStored(stage)).filter(hasTwoOpen).flatMap(({ attempts }) => attempts.filter(isOpen));
  await inParallel(open.length, 4, async (i) => {
    const { provider, reference } = open[i] ?? {};
    const number = numbers.get(`${provider} ${reference}`);
    if (provider && number !== undefined) await world.pay(provider, number, AMOUNT_KOBO);
  });
  const announced = new Set(
    (await world.events()).filter(({ type }) => type === 'checkout.overpaid').map(({ data }) => data.reference),
  );
  const sumKept = ({ attempts }: StoredCheckout): number =>
    attempts.reduce((sum, { reference }) => sum + books.keptFor(reference), 0);
  const paidTwice = (await readStored(stage)).filter((checkout) => sumKept(checkout) > AMOUNT_KOBO);
  const overpaid = paidTwice.filter(
    (checkout) =>
      checkout.status === 'paid' && checkout.paidAmount === sumKept(checkout) && announced.has(checkout.reference),
  );
  return { paidTwice: paidTwice.length, seenOverpaid: overpaid.length, unmatched: (await world.unmatched()).length };
};

/** The outcome of a scene. */
export interface SceneResult {
  readonly started: readonly StartedCheckout[];
  readonly containers: number;
  /** Checkouts that had more than one attempt when they were answered. */
  readonly several: number;
  /** Attempts whose outcome was unknown when another provider was asked. */
  readonly unknown: number;
  /** Unknown attempts that had an account in the end. */
  readonly foundOpen: number;
  /** Minutes until all attempts were settled, and the number that was not. */
  readonly minutes: number;
  readonly left: number;
  readonly paidTwice: number;
  readonly seenOverpaid: number;
  readonly unmatched: number;
  /** How often the breaker of creations opened, and the logged health of the providers. */
  readonly outages: number;
  readonly judged: readonly string[];
}

/** Starts checkouts that name no provider, on a new stage. The first provider of the stage's order fails from the first counted checkout on. */
export const play = async (
  order: readonly [ProviderName, ...ProviderName[]],
  failure: Failure,
  load: Load,
): Promise<SceneResult> => {
  const [provider] = order;
  const stage = await openStage(order);
  const { world } = stage;
  try {
    const stopBackground = stage.startBackground();
    await Promise.all(
      Array.from({ length: WARM_UP_REQUESTS }, (_, n) =>
        stage.initialize(stage.keys[n % stage.keys.length] ?? '', makeBody(-1 - n)),
      ),
    );
    const warm = new Set((await readStored(stage)).map(({ reference }) => reference));
    const isCounted = ({ reference }: StoredCheckout): boolean => !warm.has(reference);
    await fail(stage, provider, failure);
    const started = await startAll(stage, load);
    const stored = (await readStored(stage)).filter(isCounted);
    await mend(stage, provider, failure);
    await stopBackground();
    const settled = await settleAll(stage);
    const moves = world.loggedLines('checkout_routed').map(({ after = '' }) => String(after));
    const hidden = (await readStored(stage)).flatMap(({ attempts }) => attempts.filter(({ shownAt }) => !shownAt));
    return {
      started,
      containers: stage.countContainers(),
      several: stored.filter(({ attempts }) => attempts.length > 1).length,
      unknown: moves.filter((after) => after.endsWith(':OutcomeUnknown')).length,
      foundOpen: hidden.filter(({ state }) => state === 'open').length,
      ...settled,
      ...(await payTwice(stage)),
      outages: world.loggedLines('provider_down').filter(({ calls }) => calls === 'creations').length,
      judged: world.loggedLines('provider_health').map(({ provider: name, state }) => `${name} ${state}`),
    };
  } finally {
    await stage.stop();
  }
};

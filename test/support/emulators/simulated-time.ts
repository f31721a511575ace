import { inBatches } from '#shared/platform/kernel/batches.ts';
import { MINUTE, type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import { dueIndex } from '#shared/sweeps/store/due-index.ts';
import { chooseLane, type DeliveryJob, type Lane } from '#shared/webhooks/domain/delivery.ts';
import type { DeliveryQueue } from '#shared/webhooks/ports.ts';
import { deliverWebhook, sweepDueWork } from '#test/support/worlds/functions.ts';
import type { World } from '#test/support/worlds/world.ts';

/** Milliseconds after which an unprocessed message is received again. After `MAX_RECEIVES` receives it is a dead letter. */
const VISIBILITY = 180 * SECOND;
const MAX_RECEIVES = 5;
/** Later than any due time, with as many digits as a position in the index has room for. */
const FAR_FUTURE = 10 ** 14;

export interface Message {
  readonly lane: Lane;
  readonly job: DeliveryJob;
  readonly receives: number;
}

/**
 * Simulates SQS under a clock that a test moves: delays, and messages that return when they were not processed.
 * `grain` rounds times up, so that there are fewer time steps.
 */
const createSimulatedQueue = (now: () => Millis, grain = 1) => {
  const messagesByTime = new Map<Millis, Message[]>();
  const sent: Record<Lane, number> = { first: 0, retry: 0, slow: 0, test: 0 };
  const hold = (message: Message, earliest: Millis): void => {
    const visibleAt = Math.ceil(earliest / grain) * grain;
    const existing = messagesByTime.get(visibleAt);
    if (existing) existing.push(message);
    else messagesByTime.set(visibleAt, [message]);
  };
  const queue: DeliveryQueue = {
    send: async (lane, jobs, delaySeconds = 0) => {
      for (const job of jobs) {
        sent[chooseLane(job, lane)] += 1;
        hold({ lane: chooseLane(job, lane), job, receives: 0 }, now() + delaySeconds * SECOND);
      }
    },
  };
  return {
    queue,
    /** The number of sent jobs, by lane. */
    sent,
    /** Returns when the next message becomes visible. */
    nextAt: (): Millis => Math.min(Number.POSITIVE_INFINITY, ...messagesByTime.keys()),
    /** Takes every message that is visible now. */
    receive: (): Message[] => {
      const times = [...messagesByTime.keys()].filter((at) => at <= now()).sort((a, b) => a - b);
      const messages = times.flatMap((at) => messagesByTime.get(at) ?? []);
      for (const at of times) messagesByTime.delete(at);
      return messages.map((message) => ({ ...message, receives: message.receives + 1 }));
    },
    /** Puts back an unprocessed message, or drops it after `MAX_RECEIVES`. */
    returnToQueue: (message: Message): void => {
      if (message.receives < MAX_RECEIVES) hold(message, now() + VISIBILITY);
    },
  };
};

/** Works through a list, `width` items at a time. */
export const forEachConcurrently = async <T>(items: readonly T[], width: number, work: (item: T) => Promise<void>) => {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let i = next++; i < items.length; i = next++) await work(items[i] as T);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
};

export interface SimulatedTimeOptions {
  readonly deps?: Partial<World['deps']>;
  /** Handles a message. The default is the use case; a test may put something in between. */
  readonly consume?: (message: Message) => Promise<void>;
  /** The number of consumers at work at once. */
  readonly consumers?: number;
  /** The number of messages that a consumer handles concurrently, like a function with the messages of one call. */
  readonly batch?: number;
  /** Milliseconds to which the queue rounds times up. */
  readonly grain?: number;
  /** Runs one sweep. The default sweeps all due work. */
  readonly sweep?: () => Promise<void>;
}

/**
 * Runs the queue and the sweeper of a world in simulated time. Sweeps happen at whole minutes since the start, as if by a schedule.
 * Minutes in which nothing is due are skipped.
 */
export const startSimulatedTime = (world: World, options: SimulatedTimeOptions = {}) => {
  const { clock } = world;
  const queue = createSimulatedQueue(clock.now, options.grain);
  const deps: World['deps'] = { ...world.deps, queue: queue.queue, ...options.deps };
  const consume = options.consume ?? (({ lane, job }: Message) => deliverWebhook(deps, lane, job));
  const sweep =
    options.sweep ??
    (async () => {
      await sweepDueWork(deps, Number.POSITIVE_INFINITY);
      await world.consumeMoney(undefined, deps);
    });
  // Read the table directly, without the faults that a test puts before it.
  const index = dueIndex(world.table);
  const startedAt = clock.now();
  let sweptAt = startedAt;
  let worked = 0;
  let sweeps = 0;

  const roundUpToMinute = (at: Millis): Millis => startedAt + Math.ceil((at - startedAt) / MINUTE) * MINUTE;

  /** Finds the first minute in which a sweep finds something. Reads nothing if that minute can only be after `latest`. */
  const findNextSweep = async (latest: Millis): Promise<Millis> => {
    const earliest = Math.max(roundUpToMinute(clock.now()), sweptAt + MINUTE);
    if (earliest > latest) return Number.POSITIVE_INFINITY;
    const firsts = await Promise.all(
      (['deliveries', 'payments', 'test_deliveries', 'test_payments', 'reviews'] as const).flatMap((family) =>
        Array.from({ length: index.shards }, (_, shard) => index.due(family, shard, FAR_FUTURE, 1, null)),
      ),
    );
    const due = Math.min(Number.POSITIVE_INFINITY, ...firsts.flatMap(({ works }) => works).map(({ dueAt }) => dueAt));
    return Math.max(roundUpToMinute(due), earliest);
  };

  const handle = async (message: Message): Promise<void> => {
    worked += 1;
    try {
      await consume(message);
    } catch {
      queue.returnToQueue(message);
    }
  };

  return {
    deps,
    queue,
    startedAt,
    /** Counts the received messages and the sweeps so far. */
    counts: () => ({ worked, sweeps }),
    /** Runs everything that happens until `until`, and then sets the clock to `until`. */
    runUntil: async (until: Millis): Promise<void> => {
      for (;;) {
        for (let messages = queue.receive(); messages.length > 0; messages = queue.receive()) {
          await forEachConcurrently(inBatches(messages, options.batch ?? 1), options.consumers ?? 20, async (batch) => {
            await Promise.all(batch.map(handle));
          });
        }
        const sweepAt = await findNextSweep(Math.min(queue.nextAt(), until));
        const next = Math.max(clock.now(), Math.min(queue.nextAt(), sweepAt));
        if (next > until) break;
        clock.advance(next - clock.now());
        if (next < sweepAt) continue;
        sweptAt = next;
        sweeps += 1;
        await sweep();
      }
      clock.advance(Math.max(0, until - clock.now()));
    },
  };
};
export type SimulatedTime = ReturnType<typeof startSimulatedTime>;

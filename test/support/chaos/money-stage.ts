import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { PaymentResult } from '#infra/local/simulator/bank.ts';
import { notification } from '#shared/payments/domain/notification.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import type { Item } from '#shared/platform/table/table.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import { type ProviderName, providerName } from '#shared/providers/domain/provider.ts';
import type { DueIndex } from '#shared/sweeps/ports.ts';
import type { DeliveryQueue } from '#shared/webhooks/ports.ts';
import { readPosition } from '#test/support/emulators/position.ts';
import { sweepDueWork } from '#test/support/worlds/functions.ts';
import { type LiveWorld, makeLiveWorld } from '#test/support/worlds/live-world.ts';
import { CALM, createLives, type LifeOdds } from './lives.ts';
import { findAnnouncementProblems, sumFalls } from './money-announcements.ts';
import { countOverlaps } from './money-askers.ts';
import {
  type Assignments,
  type Books,
  type Evidence,
  findCheckoutProblems,
  findMoneyProblems,
  findReturnProblems,
  readBooks,
} from './money-books.ts';
import { setSimulatorFaults } from './money-faults.ts';
import { createOperators } from './money-operators.ts';
import { CALM_QUEUE, createRoughQueue } from './money-queue.ts';
import { startCrashingReceiver } from './money-receiver.ts';
import { findAttemptProblems, findOverpaidProblems } from './money-routes.ts';

type Business = Awaited<ReturnType<LiveWorld['addBusiness']>>;

/** A transfer that somebody is going to make, in kobo. */
export interface PlannedTransfer {
  readonly provider: ProviderName;
  readonly accountNumber: string;
  readonly amount: number;
}

/** Reads the whole table. */
const readTable = async ({ client, name }: LiveWorld['table']): Promise<Item[]> => {
  const items: Item[] = [];
  let start: Item | undefined;
  do {
    const page = await client.send(
      new ScanCommand({
        TableName: name,
        ExclusiveStartKey: start,
      }),
    );
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start);
  return items;
};

/** Reads the rejections in the table's notifications, and the returned money that Korapay's look-ups currently show. */
const readReturns = async (
  { deps, simulator }: LiveWorld,
  items: readonly Item[],
): Promise<Pick<Evidence, 'reportedRejections' | 'returnedAtKorapay'>> => {
  const reportedRejections = items
    .filter(({ sk }) => sk === 'NTF')
    .map((item) => notification.parse(item))
    .flatMap(({ provider, raw }) => {
      const { rejected = [] } = deps.liveProviders(provider)?.read(Buffer.from(raw, 'base64')) ?? {};
      return rejected.map((rejection) => ({ ...rejection, provider }));
    });
  const returned = new Map<string, number>();
  for (const { provider, kind, reference } of simulator.books.accounts()) {
    if (provider !== 'korapay' || kind !== 'payment') continue;
    const report = await deps.liveProviders(provider)?.lookUp({ by: 'our_reference', value: reference });
    const money = report === 'unknown' ? [] : (report?.money ?? []);
    const amounts = money.map((money) => Number(readPosition(money).returned));
    returned.set(`${provider} ${reference}`, Math.max(0, ...amounts));
  }
  return { reportedRejections, returnedAtKorapay: returned };
};

/** Reads from the audit log to whom operators assigned money. `sources`: the source of each payment that they saw, by its id. */
const readAssignments = ({ changes }: Books, sources: ReadonlyMap<string, string>): Assignments['recorded'] =>
  changes.flatMap(({ what }) => {
    const [, paymentId = '', to = ''] = /^assigned payment (\S+) to (\S+)$/.exec(what) ?? [];
    const source = sources.get(paymentId);
    return source === undefined ? [] : [{ source, to }];
  });

/** More sweeps than any work may need to end. */
const MAX_SWEEPS = 24;
/** More list pages than reconciliation may need for a week. */
const MAX_PAGES = 200;

/**
 * Starts a live world whose requests and sweeps may crash, with `businessCount` businesses of one endpoint each. Another test covers the delivery of
 * webhooks: here they are recorded and sent to a queue without a consumer. If `isNew`, sweeps first reconcile a week.
 */
export const startChaos = async (random: () => number, businessCount: number, isNew = false) => {
  const world = await makeLiveWorld({ recycleNumbers: true, isNew, routingOrder: PROVIDERS });
  const { simulator, clock } = world;
  const queued = new Set<string>();
  const queue: DeliveryQueue = {
    send: async (_, jobs) => {
      for (const { eventId, endpointId } of jobs) queued.add(`${eventId} ${endpointId}`);
    },
  };
  const due: DueIndex['due'] = async (family, ...rest) =>
    family === 'deliveries' ? { works: [], next: null } : world.deps.dueIndex.due(family, ...rest);
  const dueIndex = { ...world.deps.dueIndex, due };
  const faultCounts: Record<string, number> = {};
  const roughQueue = createRoughQueue(random, faultCounts, clock.now);
  const overlapping = countOverlaps(world.deps.liveProviders, faultCounts);
  const deps = { ...world.deps, ...overlapping, queue, dueIndex, moneyQueue: roughQueue.moneyQueue };
  const lives = createLives({ deps }, random);
  const consume = (): Promise<void> => roughQueue.consume(lives);
  const receiver = await startCrashingReceiver(lives, consume);
  for (const name of providerName.options) simulator.divert(name, receiver.makeUrl(name));
  const url = 'https://shop.example.com/hooks';
  const businesses: Business[] = [];
  for (let i = 0; i < businessCount; i++) businesses.push(await world.addBusiness([url], 'live'));
  const endpoints = new Map(businesses.map(({ id, endpoints: [head] }) => [id, head?.id]));

  const operators = createOperators(world, lives, random);
  const sweep = async (odds: LifeOdds = CALM): Promise<void> => {
    const work = lives.begin(odds).run((deps) => sweepDueWork(deps, clock.now() + 30 * SECOND));
    // The next sweeper repairs the work of a failed or killed one.
    await work.catch(() => {});
    await consume();
  };
  const isAnythingDue = async (): Promise<boolean> => {
    const shards = Array.from({ length: dueIndex.shards }, (_, shard) => shard);
    const pages = await Promise.all(shards.map((shard) => due('payments', shard, Number.MAX_SAFE_INTEGER, 10, null)));
    // Reconciliations, fewer than ten, are always due again.
    return pages.some(({ works }) => works.some(({ kind }) => kind !== 'reconciliation'));
  };

  /** Switches all faults off and lets time pass, at least some hours, until no work for money is due. Returns whether that was reached. */
  const settle = async (): Promise<boolean> => {
    await simulator.settled();
    await lives.idle();
    lives.setOdds(CALM);
    roughQueue.setOdds(CALM_QUEUE);
    setSimulatorFaults(simulator, [], random, lives.faultCounts);
    for (let steps = 0; steps < MAX_SWEEPS && (steps < 4 || (await isAnythingDue())); steps++) {
      clock.advance(20 * MINUTE);
      await sweep();
      // A list page of reconciliation queues the next one, which a consumer gets at once.
      for (let pages = 0; pages < MAX_PAGES && !roughQueue.isEmpty(); pages++) await consume();
    }
    return !(await isAnythingDue());
  };

  return {
    world,
    lives,
    /** Changes the faults of the money queue from now on. */
    setQueueOdds: roughQueue.setOdds,
    /** Counts the faults of the queue, and concurrent look-ups of one charge. */
    messageFaults: faultCounts,
    receiver,
    businesses,
    operators,
    sweep,
    /** Makes a transfer. */
    pay: (planned: PlannedTransfer): Promise<PaymentResult> =>
      simulator.pay({ ...planned, senderName: 'Chidi Eze', senderBank: 'GTBank' }),
    settle,
    /**
     * Lets a calm week pass. Money that was returned without a notification is found after a day, or at the end of the week if only a look-up
     * shows it.
     */
    passWeek: async (): Promise<boolean> => {
      clock.advance(DAY + HOUR);
      const isDone = await settle();
      clock.advance(6 * DAY);
      return (await settle()) && isDone;
    },
    /** Compares our books with the simulator's and with the events. `strange`: the accounts of strangers at the simulator. */
    audit: async (
      strange: ReadonlySet<string> = new Set(),
    ): Promise<{ readonly books: Books; readonly problems: readonly string[] }> => {
      const items = await readTable(world.table);
      const books = readBooks(items);
      const assigned = { recorded: readAssignments(books, operators.seen), done: operators.done };
      const evidence: Evidence = { simulator: simulator.books, ...(await readReturns(world, items)), assigned };
      const recorded = new Set(books.deliveries.map(({ eventId, endpointId }) => `${eventId} ${endpointId}`));
      const problems = [
        ...findMoneyProblems(books, evidence),
        ...findReturnProblems(books, sumFalls(books), evidence),
        ...findCheckoutProblems(books),
        ...findAttemptProblems(books, simulator.books, strange),
        ...findOverpaidProblems(books),
        ...findAnnouncementProblems(books, (businessId) => endpoints.get(businessId)),
        ...[...queued]
          .filter((delivery) => !recorded.has(delivery))
          .map((delivery) => `queued and not recorded: ${delivery}`),
      ];
      return { books, problems };
    },
    stop: async (): Promise<void> => {
      receiver.stop();
      await world.stop();
    },
  };
};
export type Chaos = Awaited<ReturnType<typeof startChaos>>;

/** Lists the active virtual accounts in our books. */
export const listActiveAccounts = async ({
  world,
}: Pick<Chaos, 'world'>): Promise<(Omit<PlannedTransfer, 'amount'> & { readonly id: string })[]> =>
  readBooks(await world.itemsOf('VA')).accounts.flatMap((account) =>
    account.status === 'active'
      ? [{ id: account.id, provider: account.provider, accountNumber: account.account.accountNumber }]
      : [],
  );

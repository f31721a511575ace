import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { inEvent, paid } from '#infra/openapi/examples/objects.ts';
import { businessStore } from '#shared/adapters/dynamodb/businesses/business-store.ts';
import type { Business } from '#shared/domain/businesses/business.ts';
import type { Mode } from '#shared/domain/kernel/mode.ts';
import { announcement, sendNow } from '#shared/use-cases/webhooks/announce.ts';
import { openBusiness } from '#test/support/worlds/merchant.ts';
import type { Stack } from '#test/support/worlds/stack.ts';
import { startBenchStack } from './bench-stack.ts';
import { type Joined, joinStack } from './joined-stack.ts';
import { watchProcessors } from './machine.ts';
import { startRawReceiver } from './raw-http.ts';
import type { Findings } from './report.ts';
import { latencies } from './statistics.ts';

/* What a live endpoint notices of a neighbour that floods it, and of test mode. */

/** Events of the live endpoint that is measured. */
const PER_SECOND = 20;
const SECONDS = 10;
const WARM_UP_SECONDS = 3;
/** Test-mode events that wait when the measurement begins, and how long their endpoint takes to answer each. */
const TEST_BACKLOG = 1_000;
const TEST_ANSWERS_AFTER_MS = 5_000;
const ARRIVES_WITHIN_MS = 10_000;
/** architecture.md section 9. */
const P95_BUDGET_MS = 120;

/** An endpoint that counts what it was sent. */
interface Flooded {
  readonly url: string;
  posts(): number;
  stop(): Promise<void>;
}

/** A server that does something with each POST of a connection. Bodies are short: each comes in one piece. */
const serve = async (answer: (socket: Socket, number: number) => void): Promise<Flooded> => {
  const open = new Set<Socket>();
  let posts = 0;
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      if (!bytes.toString('latin1', 0, 5).startsWith('POST')) return;
      posts += 1;
      answer(socket, posts);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    posts: () => posts,
    stop: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
/** As much as a socket takes at once, again and again, as fast as the other side reads. */
const FLOOD = Buffer.from('HTTP/1.1 102 \r\n\r\n'.repeat(20_000));

/** Floods four POSTs of five with informational answers and accepts the fifth, so that its breaker never opens. */
const flooding = () =>
  serve((socket, number) => {
    if (number % 5 === 0) return void socket.write(OK);
    const more = (): void => {
      while (!socket.destroyed && socket.write(FLOOD));
    };
    socket.on('drain', more);
    more();
  });
const slow = () => serve((socket) => void setTimeout(() => socket.write(OK), TEST_ANSWERS_AFTER_MS));

/** A business with one endpoint of a mode, as the table has it. */
const addBusiness = async (
  stack: Stack,
  { table }: Joined,
  name: string,
  mode: Mode,
  url: string,
): Promise<Business> => {
  const { id } = await openBusiness(stack, name);
  await stack.ops('endpoint', 'create', '--business', id, '--mode', mode, '--url', url);
  const business = await businessStore(table).find(id);
  if (!business) throw new Error('The stack has no such business.');
  return business;
};

/** Records an event as landing money records it, with its delivery, and sends that. */
const land = async ({ deps }: Joined, business: Business, mode: Mode): Promise<void> => {
  const { event, deliveries } = announcement(deps, business, mode, 'checkout.paid', { ...inEvent(paid), mode });
  await deps.ledger.record({ event, deliveries });
  await sendNow(deps, deliveries);
};

/** Starts work PER_SECOND times a second, for `seconds`. */
const evenly = async (seconds: number, work: () => Promise<void>): Promise<void> => {
  const startedAt = Date.now();
  const begun: Promise<void>[] = [];
  for (let i = 0; i < seconds * PER_SECOND; i++) {
    const early = startedAt + (i * 1_000) / PER_SECOND - Date.now();
    if (early > 0) await wait(early);
    begun.push(work());
  }
  await Promise.all(begun);
};

/** What stands beside the live endpoint. */
interface Beside {
  readonly name: string;
  readonly mode: Mode;
  readonly backlog: number;
  start(): Promise<Flooded>;
}

const BESIDE: readonly (Beside | undefined)[] = [
  undefined,
  { name: 'a live endpoint that floods 1xx answers', mode: 'live', backlog: 0, start: flooding },
  { name: 'a flood of test mode at a slow endpoint', mode: 'test', backlog: TEST_BACKLOG, start: slow },
];

/** When a webhook's event was recorded, from its body, in milliseconds since the epoch. */
const recordedAt = (body: string): number => Date.parse(JSON.parse(body).timestamp);

/** The delays of a live endpoint's webhooks, on a stack of its own, alone or beside something. */
const measureBeside = async (beside: Beside | undefined) => {
  const stack = await startBenchStack();
  const joined = joinStack(stack);
  const receiver = await startRawReceiver({ hangs: false });
  const other = await beside?.start();
  const business = await addBusiness(stack, joined, 'Measured', 'live', receiver.url);
  const neighbour = beside && other && (await addBusiness(stack, joined, 'Beside', beside.mode, other.url));
  const landBeside = async (): Promise<void> => {
    if (beside && neighbour) await land(joined, neighbour, beside.mode);
  };
  await evenly(WARM_UP_SECONDS, () => land(joined, business, 'live'));
  for (let i = 0; i < (beside?.backlog ?? 0); i += PER_SECOND) {
    await Promise.all(Array.from({ length: PER_SECOND }, landBeside));
  }
  const [postsBefore, startedAt] = [other?.posts() ?? 0, Date.now()];
  const busy = watchProcessors();
  await evenly(SECONDS, async () => {
    await Promise.all([land(joined, business, 'live'), landBeside()]);
  });
  const processors = busy();
  const expected = SECONDS * PER_SECOND;
  /** The delay of each event's first copy, without the warm-up. */
  const lags = (): number[] => {
    const firsts = new Map(receiver.received.toReversed().map(({ body, at }) => [JSON.parse(body).id, { body, at }]));
    const measured = [...firsts.values()].filter(({ body }) => recordedAt(body) >= startedAt);
    return measured.map(({ body, at }) => at - recordedAt(body));
  };
  const deadline = Date.now() + ARRIVES_WITHIN_MS;
  while (lags().length < expected && Date.now() < deadline) await wait(50);
  const posts = (other?.posts() ?? 0) - postsBefore;
  const measured = latencies(lags());
  await Promise.all([receiver.stop(), other?.stop()]);
  await stack.stop();
  const { count, p50, p95, max } = measured;
  return {
    beside: beside?.name ?? 'nothing',
    'POSTs to that': beside ? posts : '–',
    'processors busy': `${processors} %`,
    missing: expected - count,
    count,
    p50,
    p95,
    max,
  };
};

/** How long a live endpoint's webhooks take: alone, beside a neighbour that floods informational answers, and beside a flood of test mode. */
export const measureNeighbours = async (): Promise<Findings> => {
  const rows: Awaited<ReturnType<typeof measureBeside>>[] = [];
  for (const beside of BESIDE) rows.push(await measureBeside(beside));
  return {
    tables: [
      {
        title: 'A live endpoint beside others',
        about: `Event recorded → webhook received, milliseconds: ${PER_SECOND} events a second for ${SECONDS} s, each row on a stack of its own; service, engines, load and receivers share the machine, and all consumers and sweepers of the local stack one thread, which on AWS have containers of their own. The neighbour gets as many; it floods four POSTs of five with informational answers and accepts the fifth, so that its breaker stays closed. Of test mode ${TEST_BACKLOG.toLocaleString('en')} deliveries wait at the start and as many as those of live mode are added; their endpoint answers after ${TEST_ANSWERS_AFTER_MS / 1_000} s. Budget: p95 ≤ ${P95_BUDGET_MS} ms.`,
        rows,
      },
    ],
    misses: rows.flatMap(({ beside, p95, missing }) => [
      ...(p95 > P95_BUDGET_MS ? [`a live endpoint beside ${beside}: p95 ${p95} ms, budget ${P95_BUDGET_MS} ms.`] : []),
      ...(missing > 0 ? [`a live endpoint beside ${beside}: ${missing} webhooks did not arrive in time.`] : []),
    ]),
  };
};

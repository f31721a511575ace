import { SECOND } from '#shared/platform/kernel/time.ts';
import type { EventType } from '#shared/webhooks/domain/event.ts';
import { KEY_REUSED } from './answers.ts';
import type { ApiAnswer } from './api-client.ts';
import { type Api, added, type Headers, type Stage, type Stock, takeStock } from './killed-requests.ts';
import { type Callee, createMortalProcesses, type Death, type MortalProcesses } from './mortal-processes.ts';

/* Repeats a request whose process was killed. While the repeat waits at one of its calls, a rival comes: the sweeper, or another repeat. */

export const RIVALS = ['the sweeper', 'an equal repeat', 'a repeat with another body'] as const;
export type Rival = (typeof RIVALS)[number];

/** The time of the repeat: milliseconds after the kill. The lease of a claim is 30 seconds. */
const MOMENTS = { 'after the lease has ended': 31 * SECOND, 'before the lease ends': SECOND } as const;
export type Moment = keyof typeof MOMENTS;
export const MOMENT_NAMES = Object.keys(MOMENTS) as readonly Moment[];

/** Milliseconds: longer than a lease. */
const LEASE_OVER = 31 * SECOND;

/** A request. `bodies` makes new bodies for each play. */
export interface RacedRequest {
  readonly bodies: () => { readonly body: object; readonly other: object };
  readonly send: (client: Api, body: object, headers: Headers) => Promise<ApiAnswer>;
  /** Events of this type are not counted, because passing time or the repairing sweeper may add some. */
  readonly uncounted?: EventType;
  readonly rival: Rival;
  readonly moment: Moment;
}

interface Course extends Stage {
  readonly processes: MortalProcesses;
  readonly request: RacedRequest;
}

const isCreated = ({ status }: ApiAnswer): boolean => status === 201;

/**
 * Matches the codes of a repeat that came before the request had its answer. `service_unavailable`: the sweeper has settled an intent first.
 */
const earlyCode = (rival: Rival): RegExp =>
  rival === 'the sweeper' ? /^(idempotency_in_progress|service_unavailable)$/ : /^idempotency_in_progress$/;

/** Kills the process of a request. Returns the call at which it was killed, and what it had added until then. */
const kill = async (
  { processes, request, ...stage }: Course,
  before: Stock,
  death: Death,
  body: object,
  headers: Headers,
): Promise<{ readonly callee: Callee | undefined; readonly left: string; readonly hasRecord: boolean }> => {
  const { world, clientOf } = stage;
  const callee = await processes.kill(world, death, (dying) => request.send(clientOf(dying), body, headers));
  const after = await takeStock(stage, request.uncounted);
  const left = added(before, after);
  return { callee, left: JSON.stringify({ ...left, open: after.open.length }), hasRecord: 'IDEM IDEM' in left };
};

/** Lists the kills of a request that leave different states, each played once and repaired by a repeat. */
const findDifferentDeaths = async (course: Course): Promise<readonly Death[]> => {
  const { world, clientOf, settle, request } = course;
  const byLeft = new Map<string, Death>();
  for (const when of ['before', 'after'] as const) {
    for (let at = 1; ; at += 1) {
      const { body } = request.bodies();
      const headers = { 'idempotency-key': `alone-${when}-${at}` };
      const before = await takeStock(course, request.uncounted);
      const { callee, left } = await kill(course, before, { at, when }, body, headers);
      world.clock.advance(LEASE_OVER);
      expect((await request.send(clientOf(world), body, headers)).status).toBe(201);
      await settle();
      if (!callee) break;
      if (!byLeft.has(left)) byLeft.set(left, { at, when });
    }
  }
  return [...byLeft.values()];
};

/** Kills a request, and lets a rival come at call `at` of its repeat. Returns whether the repeat made that many calls. */
const race = async (course: Course, before: Stock, death: Death, at: number): Promise<boolean> => {
  const { world, clientOf, settle, processes, request } = course;
  const { rival, moment, send } = request;
  const api = clientOf(world);
  const { body, other } = request.bodies();
  const headers = { 'idempotency-key': `raced-${death.when}-${death.at}-${at}` };
  const { hasRecord } = await kill(course, before, death, body, headers);
  world.clock.advance(MOMENTS[moment]);

  const [equal, others]: [ApiAnswer[], ApiAnswer[]] = [[], []];
  const playRival = async (): Promise<void> => {
    if (rival === 'the sweeper') await world.sweep();
    else if (rival === 'an equal repeat') equal.push(await send(api, body, headers));
    else others.push(await send(api, other, headers));
  };
  let rivalPlay: Promise<void> | undefined;
  const waiting = await processes.startWaiting(world, at, () => {
    rivalPlay = playRival();
    return rivalPlay;
  });
  equal.push(await send(clientOf(waiting), body, headers));
  // The repeat may not need the answer of the waiting call.
  await rivalPlay;

  // Under a key without a record yet, either body may come first.
  const otherWon = !hasRecord && others.some(isCreated);
  const [won, lost, winner, loser] = otherWon ? [others, equal, other, body] : [equal, others, body, other];
  world.clock.advance(LEASE_OVER);
  const last = await send(api, winner, headers);
  const { text } = last;
  const seen = { death, at, answers: won.map((answer) => (isCreated(answer) ? answer.text : answer.json.code)) };
  expect(last.status).toBe(201);
  expect(seen).toEqual({
    death,
    at,
    answers: won.map((answer) => (isCreated(answer) ? text : expect.stringMatching(earlyCode(rival)))),
  });
  for (const answer of [...lost, await send(api, loser, headers)]) expect(answer).toMatchObject(KEY_REUSED);
  await settle();
  expect((await send(api, winner, headers)).text).toBe(text);
  return rivalPlay !== undefined;
};

/** Races repeats after each kill with a different state, at each of their calls. Each time there must be one effect and one answer. */
export const playRaces = async (stage: Stage, request: RacedRequest): Promise<void> => {
  const processes = createMortalProcesses();
  const course = { ...stage, processes, request };
  const { world, clientOf, settle } = stage;
  try {
    await settle();
    const first = await takeStock(stage, request.uncounted);
    await request.send(clientOf(world), request.bodies().body, { 'idempotency-key': 'alive' });
    await settle();
    const expected = added(first, await takeStock(stage, request.uncounted));
    const deaths = await findDifferentDeaths(course);
    let before = await takeStock(stage, request.uncounted);
    for (const death of deaths) {
      for (let at = 1, hasCome = true; hasCome; at += 1) {
        hasCome = await race(course, before, death, at);
        const after = await takeStock(stage, request.uncounted);
        expect({ death, at, ...added(before, after) }).toEqual({ death, at, ...expected });
        expect(after.open).toEqual([]);
        before = after;
      }
    }
  } finally {
    await processes.stop();
  }
};

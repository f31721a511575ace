import { loadavg } from 'node:os';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { type Findings, round, type Table } from '#test/bench/report.ts';
import { percentile } from '#test/bench/statistics.ts';
import { type Failure, type Load, play, type SceneResult } from './play.ts';

/** The load of each scene. It takes longer than a minute, so that the health of providers is judged meanwhile. */
const LOAD: Load = { count: 1_000, perSecond: 10 };
/** The percentage of checkouts that must open, and milliseconds for the p95. */
const BUDGET = { opened: 99.9, p95: 5_000 };

/** The most milliseconds by which the load may be late, p99. A later load means that the machine was busy with something else. */
const MAX_LATE_MS = 250;

/** The behaviour of the first provider of the order. */
const SCENES: Readonly<Record<string, Failure>> = {
  works: { kind: 'none' },
  'refuses connections': { kind: 'dead' },
  'answers nothing': { kind: 'faulty', fault: { kind: 'hung' } },
  'answers after 4 s': { kind: 'faulty', fault: { kind: 'slow', ms: 4_000 } },
  'answers after 7 s': { kind: 'faulty', fault: { kind: 'slow', ms: 7_000 } },
  'answers 500': { kind: 'faulty', fault: { kind: 'server_fault' } },
  'refuses our key': { kind: 'faulty', fault: { kind: 'unauthorised' } },
};

/** Returns the stage's order of providers, rotated so that one provider is first. */
const orderFrom = (first: ProviderName): readonly [ProviderName, ...ProviderName[]] => {
  const at = PROVIDERS.indexOf(first);
  return [first, ...PROVIDERS.slice(at + 1), ...PROVIDERS.slice(0, at)];
};

const countAt = ({ started }: SceneResult, provider: ProviderName): number =>
  started.filter((answer) => answer.status === 201 && answer.provider === provider).length;

const openedShare = ({ started }: SceneResult): number =>
  round((100 * started.filter(({ status }) => status === 201).length) / started.length, 1);

const listTimes = ({ started }: SceneResult): readonly number[] => started.map(({ ms: took }) => took);
const lateness = ({ started }: SceneResult): number =>
  Math.round(
    percentile(
      started.map(({ late }) => late),
      99,
    ),
  );

const findMisses = (name: string, played: SceneResult): string[] => {
  const p95 = Math.round(percentile(listTimes(played), 95));
  const { left, paidTwice, seenOverpaid, unmatched } = played;
  return [
    ...(openedShare(played) < BUDGET.opened ? [`${openedShare(played)} % opened, budget ${BUDGET.opened} %`] : []),
    ...(p95 > BUDGET.p95 ? [`p95 ${p95} ms, budget ${BUDGET.p95} ms`] : []),
    ...(lateness(played) > MAX_LATE_MS ? [`the load was ${lateness(played)} ms late: something else ran`] : []),
    ...(left > 0 ? [`${left} checkouts are not settled`] : []),
    ...(paidTwice > seenOverpaid ? [`${paidTwice - seenOverpaid} were paid twice but are not shown as overpaid`] : []),
    ...(unmatched > 0 ? [`${unmatched} payments are unmatched`] : []),
  ].map((miss) => `${name}: ${miss}.`);
};

const openingRow = (first: ProviderName, scene: string, played: SceneResult): Table['rows'][number] => {
  const [, second, third] = orderFrom(first);
  const times = listTimes(played);
  const ms = (p: number): number => Math.round(percentile(times, p));
  return {
    first,
    scene,
    'opened, %': openedShare(played),
    ...{ 'p50, ms': ms(50), 'p95, ms': ms(95), 'p99, ms': ms(99) },
    'above 1 s': times.filter((ms) => ms > 1_000).length,
    'at the first': countAt(played, first),
    'at the second': second ? countAt(played, second) : 0,
    'at the third': third ? countAt(played, third) : 0,
    'several attempts': played.several,
    containers: played.containers,
    'load late p99': lateness(played),
    'machine load': round(loadavg()[0] ?? 0, 1),
  };
};

const settlingRow = (first: ProviderName, scene: string, played: SceneResult): Table['rows'][number] => ({
  first,
  scene,
  unknown: played.unknown,
  'found open': played.foundOpen,
  'found absent': played.unknown - played.foundOpen,
  'settled after, minutes': played.minutes,
  'paid twice': played.paidTwice,
  'seen as overpaid': played.seenOverpaid,
  'breaker opened': played.outages,
  judged: played.judged.join(', ') || '–',
});

/** Measures how long checkouts take to open while one of three providers fails: 1,000 checkouts in each scene, each on a new stage. */
export const measureRouting = async (): Promise<Findings> => {
  const opening: Table['rows'][number][] = [];
  const settling: Table['rows'][number][] = [];
  const misses: string[] = [];
  for (const first of PROVIDERS) {
    for (const [scene, failure] of Object.entries(SCENES)) {
      const played = await play(orderFrom(first), failure, LOAD);
      const row = openingRow(first, scene, played);
      // Show the progress: a run takes most of an hour.
      console.log(JSON.stringify(row));
      opening.push(row);
      settling.push(settlingRow(first, scene, played));
      misses.push(...findMisses(`${first} ${scene}`, played));
    }
  }
  const { count, perSecond } = LOAD;
  const tables = [
    {
      title: 'Checkouts without a provider while the first one fails',
      about: `${count.toLocaleString('en')} of each row, ${perSecond} a second, of five businesses that route, at the simulator of the providers; real time-outs, real clock. Each container works on one request at a time; fifty had an answer from the first provider just before. “Works” is the comparison. Budgets: ${BUDGET.opened} % open, p95 ${BUDGET.p95.toLocaleString('en')} ms.`,
      rows: opening,
    },
    {
      title: 'Attempts that were left unknown',
      about:
        'Attempts whose outcome was unknown when another provider was asked. The provider works again after the last checkout is answered. Then the clock is put forward until look-ups have settled all attempts, and each account of a checkout with two accounts is paid.',
      rows: settling,
    },
  ];
  return { tables, misses };
};

import { accountOf, quietestOf, rowOf } from '#test/bench/open-loop/account.ts';
import {
  failuresOf,
  neighbourMisses,
  overloadMisses,
  processorMisses,
  QUIET_PER_SECOND,
  recoveryMisses,
} from '#test/bench/open-loop/budgets.ts';
import type { Offer } from '#test/bench/open-loop/offer.ts';

type Payments = Offer['payments'];
type Payment = Payments[number];

const payment = (writtenAt: number, fields: Partial<Payment> = {}): Payment => ({
  writtenAt,
  late: 0,
  received: [],
  ...fields,
});
const paid = (writtenAt: number, delay = 30): Payment =>
  payment(writtenAt, { status: 200, answeredAt: writtenAt + 10, received: [writtenAt + delay] });
const refused = (writtenAt: number, took: number): Payment =>
  payment(writtenAt, { status: 503, hasRetryAfter: true, answeredAt: writtenAt + took });

/** An offer of two seconds that took some processor time. */
const offerOf = (payments: Payments, measured = 0.1): Offer => ({
  perSecond: QUIET_PER_SECOND,
  seconds: 2,
  payments,
  processors: { measured, threads: [], load: 0, others: 0 },
});
const account = (payments: Payments, measured?: number) => accountOf(offerOf(payments, measured));

test('each payment is accepted, refused or wrong, and no other answer passes for a refusal', () => {
  const found = account([
    paid(0),
    refused(100, 40),
    payment(200, { status: 503, hasRetryAfter: false, answeredAt: 210 }),
    payment(300, { status: 500, answeredAt: 310 }),
    payment(400, { status: null, answeredAt: 410 }),
    payment(500),
  ]);
  expect(found).toMatchObject({ offered: 6, accepted: 1, refused: 1, wrong: 4, lost: 0, doubled: 0 });
  expect(found.refusals).toEqual([40]);
});

test('an accepted payment without its webhook is lost, and one with two is doubled', () => {
  const lost = payment(100, { status: 200, answeredAt: 110 });
  const doubled = payment(200, { status: 200, answeredAt: 210, received: [240, 900] });
  const found = account([paid(0, 30), lost, doubled]);
  expect(found).toMatchObject({ accepted: 3, lost: 1, doubled: 1 });
  // The delay begins before the request is written and ends with the first webhook.
  expect(found.delays).toEqual([30, 40]);
});

test('accepted a second is what was answered while payments were being offered, from the first request on', () => {
  const begin = 10_000;
  const late = payment(begin + 1_990, { status: 200, answeredAt: begin + 2_001, received: [begin + 2_050] });
  const found = account([paid(begin), paid(begin + 1_000), late]);
  expect(found.accepted).toBe(3);
  expect(found.acceptedPerSecond).toBe(1);
});

test('processor time is per thousand accepted payments, and a round that accepts none is not the quietest', () => {
  expect(account([paid(0), paid(20), refused(40, 5)], 0.03).cpuPerThousand).toBe(15);
  const [none, some] = [account([refused(0, 5)]), account([paid(0)])];
  expect(none.cpuPerThousand).toBe(Number.POSITIVE_INFINITY);
  expect(quietestOf([none, some]).delays).toEqual([30]);
  expect(quietestOf([some, none]).delays).toEqual([30]);
});

test('of several rounds the quietest gives the figures, and all of them what became of payments', () => {
  const busy = account([paid(0, 90), refused(20, 700), payment(40, { status: 500, answeredAt: 50 })], 0.03);
  const quiet = account([paid(0, 30), refused(20, 10)], 0.01);
  const alsoBusy = account([payment(0, { status: 200, answeredAt: 10 }), { ...paid(20), received: [50, 60] }], 0.05);
  const found = quietestOf([busy, quiet, alsoBusy]);
  expect(found).toMatchObject({ cpuPerThousand: 10, delays: [30], acceptedPerSecond: 0.5 });
  expect(found).toMatchObject({ offered: 7, accepted: 4, refused: 2, wrong: 1, lost: 1, doubled: 1 });
  expect(rowOf('this checkout', 50, found)).toMatchObject({ p95: 30, 'refusal p95': 700, 'refusal max': 700 });
});

test('one round is its own quietest', () => {
  const only = account([paid(0), refused(20, 10)]);
  expect(quietestOf([only])).toEqual(only);
});

test('a run names each budget that is missed, and none that is kept', () => {
  const good = account([paid(0, 30), paid(20, 30), refused(40, 1_000)], 0.02);
  expect(failuresOf('x', good)).toEqual([]);
  expect(processorMisses('x', QUIET_PER_SECOND, good)).toEqual([]);
  expect(overloadMisses('x', good, good.acceptedPerSecond / 0.9)).toEqual([]);
  expect(neighbourMisses('x', QUIET_PER_SECOND, good, account([paid(0, 60)]))).toEqual([]);

  const slow = [refused(20, 1_200), ...Array.from({ length: 99 }, () => refused(20, 40))];
  const bad = account([{ ...paid(0, 61), received: [61, 70] }, ...slow, payment(40)], 0.02);
  expect(failuresOf('x', bad)).toEqual([
    'x: 1 wrong, budget 0.',
    'x: 1 doubled, budget 0.',
    'x: refusals took 40 ms at p95 and 1200 ms at most, budget 1000 ms.',
  ]);
  expect(processorMisses('x', QUIET_PER_SECOND, bad)).toEqual([
    'x: 20 s of processor time per 1,000 payments, budget 10 s.',
  ]);
  expect(processorMisses('x', QUIET_PER_SECOND + 1, bad)).toEqual([]);
  expect(overloadMisses('x', bad, 1)).toEqual(['x: 0.5 accepted a second, budget 90 % of the peak of 1.']);
  expect(neighbourMisses('x', QUIET_PER_SECOND, good, bad)).toEqual([
    'x: p95 61 ms, budget 2 times the 30 ms without it.',
  ]);
  expect(recoveryMisses('x', good, account([paid(0, 60)]))).toEqual([]);
  expect(recoveryMisses('x', good, bad)).toEqual([
    'x: 100 refused, budget 0.',
    'x: p95 61 ms, budget 2 times the 30 ms before it.',
  ]);
});

test('a stack that accepts nothing misses its budgets', () => {
  const none = account([payment(0, { status: null, answeredAt: 1 })]);
  expect(processorMisses('x', QUIET_PER_SECOND, none)).toHaveLength(1);
  expect(neighbourMisses('x', QUIET_PER_SECOND, none, none)).toHaveLength(1);
  expect(recoveryMisses('x', none, none)).toHaveLength(1);
});

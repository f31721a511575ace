import { paceHttp } from '#shared/providers/common/pace.ts';
import { movableClock } from '#test/support/worlds/world.ts';

const GAP = 200;

/** Creates a provider that is called at a pace, and records the start times of its calls. Waiting moves the clock. */
const provider = () => {
  const clock = movableClock(0);
  const begun: number[] = [];
  const http = async () => {
    begun.push(clock.now());
    return { status: 200, json: {} };
  };
  const wait = async (milliseconds: number) => clock.advance(milliseconds);
  const call = paceHttp(http, GAP, { now: clock.now, wait });
  const callTimes = async (times: number) => {
    for (let n = 0; n < times; n++) await call({ method: 'GET', path: '/', headers: {} });
  };
  return { clock, begun, callTimes };
};

test('calls begin with the gap between them', async () => {
  const { begun, callTimes } = provider();
  await callTimes(4);
  expect(begun).toEqual([0, 200, 400, 600]);
});

test('a pause allows no burst of calls afterwards', async () => {
  const { clock, begun, callTimes } = provider();
  await callTimes(2);
  clock.advance(60_000);
  await callTimes(3);
  expect(begun.slice(2)).toEqual([60_200, 60_400, 60_600]);
});

test('calls that are slower than the gap do not wait', async () => {
  const { clock, begun, callTimes } = provider();
  for (let n = 0; n < 10; n++) {
    await callTimes(1);
    clock.advance(GAP);
  }
  expect(begun).toEqual(Array.from({ length: 10 }, (_, n) => n * GAP));
});

import { SECOND } from '#shared/platform/kernel/time.ts';
import { type ProviderHealth, unknownHealth } from '#shared/providers/domain/health/health.ts';
import type { JudgedProviders } from '#shared/providers/health-ports.ts';
import { healthyFirst } from '#shared/providers/healthy-first.ts';
import { NOON } from '#test/unit/api/examples.ts';

const ALL = ['paystack', 'monnify', 'korapay'] as const;
const failing: ProviderHealth = { ...unknownHealth('paystack', NOON), state: 'failing', cause: 'creations_fail' };
const never = () => new Promise<never>(() => {});

const startOrdering = (
  judged: () => Promise<JudgedProviders>,
  { draw = 0.5, wait = never as () => Promise<void> } = {},
) => {
  let [now, reads] = [NOON, 0];
  const read = () => {
    reads += 1;
    return judged();
  };
  const order = healthyFirst({ health: { readHealth: read }, now: () => now, draw: () => draw, wait });
  return {
    order: async (...candidates: (typeof ALL)[number][]) => {
      const [first, ...others] = candidates;
      return (await order(first ? [first, ...others] : ALL)).order;
    },
    pass: (seconds: number) => {
      now += seconds * SECOND;
    },
    reads: () => reads,
  };
};

describe('ordering candidates by health', () => {
  test('health is read at most twice a minute, and not for a single candidate', async () => {
    const { order, pass, reads } = startOrdering(async () => ({ paystack: failing }));
    expect(await order('paystack')).toEqual(['paystack']);
    expect(reads()).toBe(0);
    for (let times = 0; times < 3; times++) expect(await order()).toEqual(['monnify', 'korapay', 'paystack']);
    pass(29);
    await order();
    expect(reads()).toBe(1);
    pass(1);
    await order();
    expect(reads()).toBe(2);
  });

  test('the stage’s order applies until health was read once, and later the last known health', async () => {
    let isDown = true;
    const { order, pass } = startOrdering(async () => {
      if (isDown) throw new Error('The table does not answer.');
      return { paystack: failing };
    });
    expect(await order()).toEqual(ALL);
    isDown = false;
    pass(30);
    expect(await order()).toEqual(['monnify', 'korapay', 'paystack']);
    isDown = true;
    pass(30);
    expect(await order()).toEqual(['monnify', 'korapay', 'paystack']);
  });

  test('an opening does not wait for a slow read', async () => {
    const { order } = startOrdering(never, { wait: async () => {} });
    expect(await order()).toEqual(ALL);
  });

  test('one draw in twenty puts the failing provider first', async () => {
    expect(await startOrdering(async () => ({ paystack: failing }), { draw: 0.049 }).order()).toEqual(ALL);
    expect((await startOrdering(async () => ({ paystack: failing }), { draw: 0.051 }).order())[0]).toBe('monnify');
  });
});

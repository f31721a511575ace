import { preferHealthy, type Standing } from '#shared/providers/domain/health/prefer-healthy.ts';

const ALL = ['paystack', 'monnify', 'korapay'] as const;
const lost = (bad: number): Standing => ({
  state: 'failing',
  cause: 'sent_not_landed',
  creations: { good: 0, bad: 0 },
  sent: { good: 10 - bad, bad },
});
const slow: Standing = { ...lost(1), state: 'slow', cause: null };

describe('preferHealthy', () => {
  test('keeps the stage’s order while no provider is failing, even if one is slow', () => {
    const expected = { order: ALL, last: [], triedFirst: null, areAllFailing: false };
    expect(preferHealthy(ALL, {}, 0)).toEqual(expected);
    expect(preferHealthy(ALL, { paystack: slow }, 0.5)).toEqual(expected);
  });

  test('puts a failing provider last, with the cause', () => {
    expect(preferHealthy(ALL, { paystack: lost(8) }, 0.05)).toEqual({
      order: ['monnify', 'korapay', 'paystack'],
      last: [{ provider: 'paystack', why: 'sent_not_landed' }],
      triedFirst: null,
      areAllFailing: false,
    });
  });

  test('puts the worst provider last if several fail, and removes none', () => {
    const { order } = preferHealthy(ALL, { paystack: lost(9), monnify: lost(5) }, 0.5);
    expect(order).toEqual(['korapay', 'monnify', 'paystack']);
  });

  test('puts a failing provider first for every twentieth checkout, each failing provider equally often', () => {
    const health = { paystack: lost(9), monnify: lost(5) };
    const firsts = Array.from({ length: 400 }, (_, i) => preferHealthy(ALL, health, i / 400)).map(
      ({ triedFirst, order }) => ({ tried: triedFirst, first: order[0], length: order.length }),
    );
    const times = (tried: string | null, first: string) =>
      firsts.filter((entry) => entry.tried === tried && entry.first === first && entry.length === 3).length;
    expect([times('monnify', 'monnify'), times('paystack', 'paystack'), times(null, 'korapay')]).toEqual([10, 10, 380]);
  });

  test('keeps the stage’s order if all candidates are failing', () => {
    const health = { paystack: lost(9), monnify: lost(5), korapay: lost(4) };
    expect(preferHealthy(ALL, health, 0)).toEqual({ order: ALL, last: [], triedFirst: null, areAllFailing: true });
    // Only the candidates of this checkout count.
    expect(preferHealthy(['paystack'], health, 0).areAllFailing).toBe(true);
  });
});

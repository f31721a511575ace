import { type Candidate, chooseCandidates } from '#shared/checkouts/domain/choose-candidates.ts';
import { naira } from '#test/unit/api/examples.ts';

const candidate = (provider: Candidate['provider'], fields: Partial<Candidate> = {}): Candidate => ({
  provider,
  isEnabled: true,
  isBreakerOpen: false,
  ...fields,
});
const choose = (amount: number, ...candidates: Candidate[]) => chooseCandidates(candidates, naira(amount));

test('candidates keep the order of the stage', () => {
  expect(choose(500, candidate('monnify'), candidate('paystack'), candidate('korapay'))).toEqual({
    order: ['monnify', 'paystack', 'korapay'],
    passedOver: [],
  });
});

test.each<[string, Partial<Candidate>, string]>([
  ['is not enabled', { isEnabled: false }, 'not_enabled'],
  ['does not accept so small an amount', { amountLimits: { least: naira(500.01) } }, 'amount'],
  ['does not accept so large an amount', { amountLimits: { least: naira(1), most: naira(499.99) } }, 'amount'],
  ['has an open breaker', { isBreakerOpen: true }, 'breaker_open'],
])('a provider that %s is passed over with the reason', (_, fields, why) => {
  expect(choose(500, candidate('monnify', fields), candidate('paystack'))).toEqual({
    order: ['paystack'],
    passedOver: [{ provider: 'monnify', why }],
  });
});

test('an amount equal to a limit is accepted', () => {
  const limits = { amountLimits: { least: naira(500), most: naira(500) } };
  expect(choose(500, candidate('monnify', limits)).order).toEqual(['monnify']);
});

test('providers with an open breaker are asked if no other is left', () => {
  const notCalled = (['monnify', 'paystack'] as const).map((name) => candidate(name, { isBreakerOpen: true }));
  expect(choose(500, ...notCalled, candidate('korapay', { isEnabled: false }))).toEqual({
    order: ['monnify', 'paystack'],
    passedOver: [{ provider: 'korapay', why: 'not_enabled' }],
  });
});

import { ALL_FUNCTIONS } from '#infra/dashboard-functions.ts';
import { formatAction } from '#shared/api/http/key-author.ts';
import { DEEDS, describeDeed } from '#shared/businesses/contract/deeds.ts';

const changes = ALL_FUNCTIONS.flatMap(({ trigger }) => (trigger.kind === 'endpoint' ? [trigger.contract] : [])).filter(
  ({ session, method }) => session !== undefined && method !== 'GET',
);

test('whatever a member may change is told in words', () => {
  expect(changes.length).toBeGreaterThan(20);
  const actions = changes.map(formatAction);
  expect(actions.filter((action) => !DEEDS[action])).toEqual([]);
  const ofPasskeys = ['POST /passkeys', 'DELETE /passkeys/{id}'];
  expect(Object.keys(DEEDS).filter((action) => !actions.includes(action) && !ofPasskeys.includes(action))).toEqual([]);
});

test('what a request is recorded for before its work says what was done', () => {
  expect(changes.filter((one) => !one.isRecorded && !DEEDS[formatAction(one)]?.done)).toEqual([]);
});

test.each([
  ['done', {}, 'expired a checkout'],
  ['done', { details: ['late: true'] }, 'expired a checkout (late: true)'],
  ['unknown', {}, 'asked to expire a checkout'],
  ['refused', { why: 'Checkout not found.' }, 'asked to expire a checkout and was refused: Checkout not found.'],
] as const)('what was %s is said so', (outcome, about, sentence) => {
  expect(describeDeed('POST /v1/checkouts/{reference}/expire', outcome, about)).toBe(sentence);
});

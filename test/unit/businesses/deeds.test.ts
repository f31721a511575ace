import { ALL_FUNCTIONS } from '#infra/dashboard-functions.ts';
import { formatAction } from '#shared/api/http/key-author.ts';
import { DEEDS, describeDeed } from '#shared/businesses/contract/deeds.ts';

const changes = ALL_FUNCTIONS.flatMap(({ trigger }) => (trigger.kind === 'endpoint' ? [trigger.contract] : [])).filter(
  ({ session, method }) => session !== undefined && method !== 'GET',
);

test('every change that a member may make is described in DEEDS', () => {
  expect(changes.length).toBeGreaterThan(20);
  const actions = changes.map(formatAction);
  expect(actions.filter((action) => !DEEDS[action])).toEqual([]);
  const passkeyActions = ['POST /passkeys', 'DELETE /passkeys/{id}'];
  expect(Object.keys(DEEDS).filter((action) => !actions.includes(action) && !passkeyActions.includes(action))).toEqual(
    [],
  );
});

test('every request that is recorded before its work has a description of its success', () => {
  expect(changes.filter((contract) => !contract.isRecorded && !DEEDS[formatAction(contract)]?.done)).toEqual([]);
});

test.each([
  ['done', {}, 'expired a checkout'],
  ['done', { details: ['late: true'] }, 'expired a checkout (late: true)'],
  ['unknown', {}, 'asked to expire a checkout'],
  ['refused', { why: 'Checkout not found.' }, 'asked to expire a checkout and was refused: Checkout not found.'],
] as const)('a deed is described by its outcome: %s', (outcome, about, sentence) => {
  expect(describeDeed('POST /v1/checkouts/{reference}/expire', outcome, about)).toBe(sentence);
});

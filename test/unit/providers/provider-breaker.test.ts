import { MINUTE, SECOND } from '#shared/domain/kernel/time.ts';
import {
  admissionOf,
  afterAnswer,
  afterFailure,
  OPENS_AFTER,
  type ProviderBreaker,
  probing,
  providerBreaker,
  REST,
  tellsOfOutage,
  wellProvider,
} from '#shared/domain/providers/breaker.ts';
import { NOON } from '#test/unit/http/examples.ts';

const well = wellProvider('korapay');
/** So many failures, each a while after the last. */
const failing = (times: number, gap = SECOND): ProviderBreaker => {
  let row = well;
  for (let i = 0; i < times; i++) row = afterFailure(row, NOON + i * gap) ?? row;
  return row;
};
const down = failing(OPENS_AFTER, 0);

describe('the breaker of a provider', () => {
  test('lets every call pass, and has nothing to write, while the provider is well', () => {
    expect(admissionOf(well, NOON)).toBe('ask');
    expect(afterAnswer(well, NOON)).toBeUndefined();
  });

  test('opens at the fifth failure in a row and is closed until then', () => {
    expect(OPENS_AFTER).toBe(5);
    for (let times = 1; times < OPENS_AFTER; times++) expect(failing(times)).toMatchObject({ restsUntil: null });
    expect(providerBreaker.parse(down)).toEqual({
      provider: 'korapay',
      failures: 5,
      lastFailureAt: NOON,
      restsUntil: NOON + REST,
      version: 5,
    });
  });

  test.each([
    ['the first one', true, 0, 1],
    ['the first one after an answer', false, NOON, 1],
    ['the second one after an answer', false, NOON, 2],
    ['the third one after an answer', true, NOON, 3],
    ['the first one a minute after an answer', false, NOON - MINUTE, 1],
    ['the first one more than a minute after an answer', true, NOON - MINUTE - 1, 1],
  ])('counts, of one container’s failures, %s: %s', (_, counts, answeredAt, failures) => {
    expect(tellsOfOutage({ answeredAt, failures }, NOON)).toBe(counts);
  });

  test('does not add up failures that are more than a minute apart', () => {
    expect(failing(50, MINUTE + 1)).toMatchObject({ failures: 1, restsUntil: null });
    expect(failing(5, MINUTE).restsUntil).not.toBeNull();
  });

  test('forgets its failures with an answer, and writes that only while they count', () => {
    const once = failing(1);
    expect(afterAnswer(once, NOON + MINUTE)).toEqual({ ...once, failures: 0, version: 2 });
    expect(afterAnswer(once, NOON + MINUTE + 1)).toBeUndefined();
  });

  test('lets nobody pass for 30 seconds, then one call, and the others after another 30', () => {
    expect(admissionOf(down, NOON + REST - 1)).toBe('rest');
    expect(admissionOf(down, NOON + REST)).toBe('probe');
    const probed = probing(down, NOON + REST);
    expect(admissionOf(probed, NOON + 2 * REST - 1)).toBe('rest');
    expect(admissionOf(probed, NOON + 2 * REST)).toBe('probe');
    // What fails meanwhile, the call that tried it among them, changes nothing.
    expect(afterFailure(probed, NOON + REST + SECOND)).toBeUndefined();
  });

  test('closes with the first answer, however long it was down', () => {
    const healed = afterAnswer(probing(down, NOON + 60 * MINUTE), NOON + 60 * MINUTE + SECOND);
    expect(healed).toEqual({ ...down, failures: 0, restsUntil: null, version: 7 });
    expect(healed && admissionOf(healed, NOON + 60 * MINUTE)).toBe('ask');
  });
});

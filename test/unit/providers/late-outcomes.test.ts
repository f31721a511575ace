import { SECOND } from '#shared/platform/kernel/time.ts';
import { sharedBreaker } from '#shared/providers/common/breaker.ts';
import { guarded, outliving } from '#shared/providers/common/guard.ts';
import type { ProviderAnswer } from '#shared/providers/common/http.ts';
import { OUTAGE_AFTER } from '#shared/providers/domain/breaker.ts';
import { OutcomeUnknown, ProviderBusy } from '#shared/providers/domain/errors.ts';
import { breakersInMemory } from '#test/support/worlds/breaker-memory.ts';
import { NOON } from '#test/unit/api/examples.ts';

const REQUEST = { method: 'GET', path: '/', headers: {} } as const;
const NO_ANSWER = new OutcomeUnknown('No answer in time.');

/** A container whose calls end as a test says, each made for a request of its own. */
const container = () => {
  const store = breakersInMemory();
  const needs = { provider: 'korapay', calls: 'look_ups', store, now: () => NOON } as const;
  const breaker = sharedBreaker({ ...needs, log: () => {}, metrics: () => {} });
  /** Makes a call that ends with a failure, or null with an answer, before or after its request is answered. */
  const call = async (failure: Error | null, when: 'before' | 'after'): Promise<string> => {
    let isAnswered = false;
    const sent = async (): Promise<ProviderAnswer> => {
      isAnswered = when === 'after';
      if (failure) throw failure;
      return { status: 200, json: {} };
    };
    const http = guarded(sent, breaker, async () => {});
    return outliving(
      () => isAnswered,
      () =>
        http(REQUEST).then(
          () => 'answered',
          ({ name }: Error) => name,
        ),
    );
  };
  return { call, row: () => store.find('korapay', 'look_ups') };
};

describe('a call that ends after its request is answered', () => {
  test.each([
    ['fails', NO_ANSWER],
    ['is refused for its speed', new ProviderBusy('', 9 * SECOND)],
  ])('does not count in the breaker where it %s', async (_, failure) => {
    const { call, row } = container();
    for (let n = 0; n < 2 * OUTAGE_AFTER; n++) expect(await call(failure, 'after')).toBe(failure.name);
    expect(await row()).toMatchObject({ failures: 0, limitedUntil: null, version: 0 });
  });

  test('does not make up for failures where the provider answers it', async () => {
    const { call, row } = container();
    await call(NO_ANSWER, 'before');
    expect(await call(null, 'after')).toBe('answered');
    expect(await row()).toMatchObject({ failures: 1 });
  });
});

test('a call that ends before its request is answered counts', async () => {
  const { call, row } = container();
  for (let n = 0; n < OUTAGE_AFTER; n++) await call(NO_ANSWER, 'before');
  expect((await row()).suspendedUntil).not.toBeNull();
});

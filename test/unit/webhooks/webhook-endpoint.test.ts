import fc from 'fast-check';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { DAY, SECOND } from '#shared/platform/kernel/time.ts';
import { endpointView } from '#shared/webhooks/contract/endpoint-view.ts';
import {
  asDisabled,
  asEnabled,
  ensureEnabled,
  PARKED_RETENTION,
  parseHost,
  previousSecretUntil,
  storedSigningSecrets,
  toEndpointHead,
  type WebhookEndpoint,
  webhookEndpoint as webhookEndpointSchema,
  withNewSecret,
} from '#shared/webhooks/domain/endpoint.ts';
import { endpointHead } from '#shared/webhooks/domain/endpoint-head.ts';
import { sealSecret } from '#shared/webhooks/domain/sealed-secret.ts';
import { longerTest, runsOf } from '#test/support/jest/long.ts';
import { id, NOON, SHOP } from '#test/unit/api/examples.ts';
import { expectEveryFieldRequired } from '#test/unit/every-field.ts';

/** The n-th sealed secret: well formed and easy to tell apart. */
const secretOf = (n: number): string =>
  sealSecret('the-key-of-a-stage-of-thirty-two-letters', 'whe_1', `whsec_${n}`.padEnd(50, 'A'), (length) =>
    new Uint8Array(length).fill(n),
  );
const [FIRST, SECOND_ONE, THIRD, FOURTH] = [secretOf(1), secretOf(2), secretOf(3), secretOf(4)];
const GRACE = 86_400;
const MOST_GRACE = 604_800;

const endpoint: WebhookEndpoint = {
  id: id('whe'),
  businessId: SHOP,
  url: 'https://adire.example/webhooks',
  mode: 'test',
  events: ['checkout.paid', 'checkout.failed'],
  enabled: true,
  secrets: [{ secret: FIRST, until: null }],
  disabledAt: null,
  disabledReason: null,
  createdAt: NOON,
};
const rotated = withNewSecret(endpoint, SECOND_ONE, GRACE, NOON);

describe('the secrets of a webhook endpoint', () => {
  test('are one at first, which signs at all times', () => {
    for (const at of [0, NOON, NOON + 3_650 * DAY]) expect(storedSigningSecrets(endpoint, at)).toEqual([FIRST]);
  });

  test('overlap after a rotation: the new one first, the one before it until its grace ends', () => {
    expect(rotated).toEqual({
      ...endpoint,
      secrets: [
        { secret: SECOND_ONE, until: null },
        { secret: FIRST, until: NOON + DAY },
      ],
    });
  });

  test.each([
    ['at once', NOON, [SECOND_ONE, FIRST]],
    ['in the last millisecond of the grace', NOON + DAY - 1, [SECOND_ONE, FIRST]],
    ['when the grace ends', NOON + DAY, [SECOND_ONE]],
    ['a year later', NOON + 365 * DAY, [SECOND_ONE]],
  ])('that sign %s after a rotation', (_, at, secrets) => {
    expect(storedSigningSecrets(rotated, at)).toEqual(secrets);
  });

  test('overlap exactly as long as their grace, the shortest and the longest', () => {
    for (const grace of [1, MOST_GRACE]) {
      const after = withNewSecret(endpoint, SECOND_ONE, grace, NOON);
      expect(storedSigningSecrets(after, NOON + grace * SECOND - 1)).toEqual([SECOND_ONE, FIRST]);
      expect(storedSigningSecrets(after, NOON + grace * SECOND)).toEqual([SECOND_ONE]);
    }
  });

  test('are only the new one after a leak: nothing signs with the old one, and it is not kept', () => {
    const after = withNewSecret(endpoint, SECOND_ONE, 0, NOON);
    expect(storedSigningSecrets(after, NOON)).toEqual([SECOND_ONE]);
    expect(after.secrets).toEqual([{ secret: SECOND_ONE, until: null }]);
    expect(JSON.stringify(after)).not.toContain(FIRST);
  });

  test('are only the new one after a leak during an overlap', () => {
    const after = withNewSecret(rotated, THIRD, 0, NOON + SECOND);
    expect(after.secrets).toEqual([{ secret: THIRD, until: null }]);
  });

  test('are never more than two, also after three rotations in a row', () => {
    const twice = withNewSecret(rotated, THIRD, MOST_GRACE, NOON + SECOND);
    expect(storedSigningSecrets(twice, NOON + SECOND)).toEqual([THIRD, SECOND_ONE]);
    const thrice = withNewSecret(twice, FOURTH, GRACE, NOON + 2 * SECOND);
    expect(storedSigningSecrets(thrice, NOON + 2 * SECOND)).toEqual([FOURTH, THIRD]);
    expect(thrice.secrets).toEqual([
      { secret: FOURTH, until: null },
      { secret: THIRD, until: NOON + 2 * SECOND + DAY },
    ]);
  });

  test('leave an endpoint as it was before the rotation', () => {
    const before = structuredClone(rotated);
    withNewSecret(rotated, THIRD, GRACE, NOON);
    expect(rotated).toEqual(before);
  });

  longerTest('are the newest and at most the one before it within its grace, after any rotations at any times', () => {
    const rotations = fc.array(
      fc.record({
        grace: fc.oneof(fc.constantFrom(0, 1, GRACE, MOST_GRACE), fc.integer({ min: 0, max: MOST_GRACE })),
        wait: fc.oneof(fc.constantFrom(0, 1, SECOND, DAY), fc.nat(8 * DAY)),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(rotations, fc.nat(8 * DAY), (sequence, look) => {
        let [state, now] = [endpoint, NOON];
        let [newest, replaced, graceEnds] = [FIRST, '', 0];
        for (const [n, { grace, wait }] of sequence.entries()) {
          now += wait;
          state = withNewSecret(state, secretOf(n + 2), grace, now);
          [replaced, newest, graceEnds] = [newest, secretOf(n + 2), now + grace * 1_000];
          expect(webhookEndpointSchema.safeParse(state).success).toBe(true);
          const at = now + look;
          expect(storedSigningSecrets(state, at)).toEqual(at < graceEnds ? [newest, replaced] : [newest]);
        }
        expect({ ...state, secrets: endpoint.secrets }).toEqual(endpoint);
      }),
      runsOf(1_000),
    );
  });
});

describe('a webhook endpoint', () => {
  const off = asDisabled(endpoint, 'It answered 410 Gone twice.', NOON + DAY);

  test('that is switched off says when and why, and keeps everything else', () => {
    expect(off).toEqual({
      ...endpoint,
      enabled: false,
      disabledReason: 'It answered 410 Gone twice.',
      disabledAt: NOON + DAY,
    });
  });

  test('that is switched on again is as it was before it was switched off', () => {
    expect(asEnabled(off)).toEqual(endpoint);
    expect(asEnabled(endpoint)).toEqual(endpoint);
  });

  test('keeps its secrets through being switched off and on, during an overlap too', () => {
    expect(asEnabled(asDisabled(rotated, 'Switched off by the business.', NOON)).secrets).toEqual(rotated.secrets);
  });

  test('that is switched off keeps what is parked for 30 days', () => {
    expect(PARKED_RETENTION).toBe(30 * DAY);
  });

  test('that is switched on may be named in a request; one that is off is refused with the field that named it', () => {
    expect(ensureEnabled(endpoint, 'endpoint_id')).toBe(endpoint);
    const expectedError = (() => {
      try {
        return ensureEnabled(off, 'endpoint_id');
      } catch (error) {
        return error;
      }
    })();
    expect(expectedError).toBeInstanceOf(ApiError);
    expect(expectedError).toMatchObject({
      code: 'validation_failed',
      details: { errors: [{ field: 'endpoint_id', message: expect.stringContaining('switched off') }] },
    });
  });

  test('has only its id, mode, events and whether it is on in its business’s item', () => {
    expect(toEndpointHead(rotated)).toEqual({
      id: id('whe'),
      mode: 'test',
      events: ['checkout.paid', 'checkout.failed'],
      enabled: true,
    });
    expect(toEndpointHead(off).enabled).toBe(false);
  });

  test.each<[string, WebhookEndpoint]>([
    ['that is on', endpoint],
    ['that is switched off', off],
    ['with two secrets', rotated],
    ['of all events', { ...endpoint, events: ['*'] }],
  ])('%s is stored and read back, with its head', (_, stored) => {
    expectEveryFieldRequired(webhookEndpointSchema, stored);
    expectEveryFieldRequired(endpointHead, toEndpointHead(stored));
  });

  test('is shown in the fields of the API', () => {
    expect(endpointView(off)).toEqual({
      id: id('whe'),
      url: 'https://adire.example/webhooks',
      mode: 'test',
      events: ['checkout.paid', 'checkout.failed'],
      enabled: false,
      disabled_reason: 'It answered 410 Gone twice.',
      created_at: '2026-11-20T12:00:00.000000Z',
    });
    expect(endpointView(endpoint)).toMatchObject({ enabled: true, disabled_reason: null });
  });

  test.each([
    ['with one secret', endpoint],
    ['with two secrets', rotated],
    ['that is switched off', asDisabled(rotated, 'Switched off by the business.', NOON)],
    ['after a leak', withNewSecret(rotated, THIRD, 0, NOON)],
  ])('%s is shown without any secret', (_, shown) => {
    const text = JSON.stringify([endpointView(shown), toEndpointHead(shown)]);
    expect(text).not.toContain('whsec_');
    for (const { secret } of shown.secrets) expect(text).not.toContain(secret.slice('sealed.'.length));
  });

  test.each([
    ['no secret', []],
    ['three secrets', [FIRST, SECOND_ONE, THIRD]],
    ['something that is no secret', ['adire']],
  ])('is not stored with %s', (_, secrets) => {
    const stored = { ...endpoint, secrets: secrets.map((secret) => ({ secret, until: null })) };
    expect(webhookEndpointSchema.safeParse(stored).success).toBe(false);
  });
});

test('the secret before the current one is told of until it stops signing', () => {
  const until = rotated.secrets[1]?.until ?? 0;
  expect(previousSecretUntil(endpoint, NOON)).toBeNull();
  expect(previousSecretUntil(rotated, until - 1)).toBe(until);
  expect(previousSecretUntil(rotated, until)).toBeNull();
});

test('records name the host of an endpoint with its port, and nothing else of its URL', () => {
  expect(parseHost('https://adire.example:8443/webhooks?token=1')).toBe('adire.example:8443');
});

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
import { longerTest, setRuns } from '#test/support/jest/long.ts';
import { id, NOON, SHOP } from '#test/unit/api/examples.ts';
import { expectEveryFieldRequired } from '#test/unit/every-field.ts';

/** Returns the n-th sealed secret. The secrets are well formed and easy to distinguish. */
const buildSecret = (n: number): string =>
  sealSecret('the-key-of-a-stage-of-thirty-two-letters', 'whe_1', `whsec_${n}`.padEnd(50, 'A'), (length) =>
    new Uint8Array(length).fill(n),
  );
const [FIRST, SECOND_ONE, THIRD, FOURTH] = [buildSecret(1), buildSecret(2), buildSecret(3), buildSecret(4)];
const GRACE_SECONDS = 86_400;
const MAX_GRACE_SECONDS = 604_800;

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
const rotated = withNewSecret(endpoint, SECOND_ONE, GRACE_SECONDS, NOON);

describe('the secrets of a webhook endpoint', () => {
  test('start with one secret that signs at all times', () => {
    for (const at of [0, NOON, NOON + 3_650 * DAY]) expect(storedSigningSecrets(endpoint, at)).toEqual([FIRST]);
  });

  test('overlap after a rotation, with the new secret first and the old secret until its grace period ends', () => {
    expect(rotated).toEqual({
      ...endpoint,
      secrets: [
        { secret: SECOND_ONE, until: null },
        { secret: FIRST, until: NOON + DAY },
      ],
    });
  });

  test.each([
    ['both sign at once after a rotation', NOON, [SECOND_ONE, FIRST]],
    ['both sign in the last millisecond of the grace period', NOON + DAY - 1, [SECOND_ONE, FIRST]],
    ['have only the new secret sign from the end of the grace period', NOON + DAY, [SECOND_ONE]],
    ['have only the new secret sign a year after a rotation', NOON + 365 * DAY, [SECOND_ONE]],
  ])('%s', (_, at, secrets) => {
    expect(storedSigningSecrets(rotated, at)).toEqual(secrets);
  });

  test('overlap exactly for the grace period, the shortest and the longest', () => {
    for (const grace of [1, MAX_GRACE_SECONDS]) {
      const after = withNewSecret(endpoint, SECOND_ONE, grace, NOON);
      expect(storedSigningSecrets(after, NOON + grace * SECOND - 1)).toEqual([SECOND_ONE, FIRST]);
      expect(storedSigningSecrets(after, NOON + grace * SECOND)).toEqual([SECOND_ONE]);
    }
  });

  test('contain only the new secret after a leak, and the old secret is not stored', () => {
    const after = withNewSecret(endpoint, SECOND_ONE, 0, NOON);
    expect(storedSigningSecrets(after, NOON)).toEqual([SECOND_ONE]);
    expect(after.secrets).toEqual([{ secret: SECOND_ONE, until: null }]);
    expect(JSON.stringify(after)).not.toContain(FIRST);
  });

  test('contain only the new secret after a leak during an overlap', () => {
    const after = withNewSecret(rotated, THIRD, 0, NOON + SECOND);
    expect(after.secrets).toEqual([{ secret: THIRD, until: null }]);
  });

  test('never number more than two, even after three rotations in a row', () => {
    const twice = withNewSecret(rotated, THIRD, MAX_GRACE_SECONDS, NOON + SECOND);
    expect(storedSigningSecrets(twice, NOON + SECOND)).toEqual([THIRD, SECOND_ONE]);
    const thrice = withNewSecret(twice, FOURTH, GRACE_SECONDS, NOON + 2 * SECOND);
    expect(storedSigningSecrets(thrice, NOON + 2 * SECOND)).toEqual([FOURTH, THIRD]);
    expect(thrice.secrets).toEqual([
      { secret: FOURTH, until: null },
      { secret: THIRD, until: NOON + 2 * SECOND + DAY },
    ]);
  });

  test('leave an endpoint as it was before the rotation', () => {
    const before = structuredClone(rotated);
    withNewSecret(rotated, THIRD, GRACE_SECONDS, NOON);
    expect(rotated).toEqual(before);
  });

  longerTest(
    'include only the newest secret and, within its grace period, the secret before it, after any rotations',
    () => {
      const rotations = fc.array(
        fc.record({
          grace: fc.oneof(
            fc.constantFrom(0, 1, GRACE_SECONDS, MAX_GRACE_SECONDS),
            fc.integer({ min: 0, max: MAX_GRACE_SECONDS }),
          ),
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
            state = withNewSecret(state, buildSecret(n + 2), grace, now);
            [replaced, newest, graceEnds] = [newest, buildSecret(n + 2), now + grace * 1_000];
            expect(webhookEndpointSchema.safeParse(state).success).toBe(true);
            const at = now + look;
            expect(storedSigningSecrets(state, at)).toEqual(at < graceEnds ? [newest, replaced] : [newest]);
          }
          expect({ ...state, secrets: endpoint.secrets }).toEqual(endpoint);
        }),
        setRuns(1_000),
      );
    },
  );
});

describe('a webhook endpoint', () => {
  const disabledEndpoint = asDisabled(endpoint, 'It answered 410 Gone twice.', NOON + DAY);

  test('says when and why it was switched off, and keeps everything else', () => {
    expect(disabledEndpoint).toEqual({
      ...endpoint,
      enabled: false,
      disabledReason: 'It answered 410 Gone twice.',
      disabledAt: NOON + DAY,
    });
  });

  test('becomes as it was before if it is switched off and on again', () => {
    expect(asEnabled(disabledEndpoint)).toEqual(endpoint);
    expect(asEnabled(endpoint)).toEqual(endpoint);
  });

  test('keeps its secrets if it is switched off and on, even during an overlap', () => {
    expect(asEnabled(asDisabled(rotated, 'Switched off by the business.', NOON)).secrets).toEqual(rotated.secrets);
  });

  test('keeps its parked deliveries for 30 days while it is switched off', () => {
    expect(PARKED_RETENTION).toBe(30 * DAY);
  });

  test('may be named in a request if it is on; otherwise the error names the field of the request', () => {
    expect(ensureEnabled(endpoint, 'endpoint_id')).toBe(endpoint);
    const error = (() => {
      try {
        return ensureEnabled(disabledEndpoint, 'endpoint_id');
      } catch (error) {
        return error;
      }
    })();
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: 'validation_failed',
      details: { errors: [{ field: 'endpoint_id', message: expect.stringContaining('switched off') }] },
    });
  });

  test('has only its id, mode, events and enabled in its business’s item', () => {
    expect(toEndpointHead(rotated)).toEqual({
      id: id('whe'),
      mode: 'test',
      events: ['checkout.paid', 'checkout.failed'],
      enabled: true,
    });
    expect(toEndpointHead(disabledEndpoint).enabled).toBe(false);
  });

  test.each<[string, WebhookEndpoint]>([
    ['on', endpoint],
    ['switched off', disabledEndpoint],
    ['rotating its secret', rotated],
    ['subscribed to all events', { ...endpoint, events: ['*'] }],
  ])('needs all fields of its item and its head if it is %s', (_, stored) => {
    expectEveryFieldRequired(webhookEndpointSchema, stored);
    expectEveryFieldRequired(endpointHead, toEndpointHead(stored));
  });

  test('has the fields of the API in its view', () => {
    expect(endpointView(disabledEndpoint)).toEqual({
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
    ['it has one secret', endpoint],
    ['it has two secrets', rotated],
    ['it is switched off', asDisabled(rotated, 'Switched off by the business.', NOON)],
    ['a secret has leaked', withNewSecret(rotated, THIRD, 0, NOON)],
  ])('has no secret in its view if %s', (_, stored) => {
    const text = JSON.stringify([endpointView(stored), toEndpointHead(stored)]);
    expect(text).not.toContain('whsec_');
    for (const { secret } of stored.secrets) expect(text).not.toContain(secret.slice('sealed.'.length));
  });

  test.each([
    ['no secret', []],
    ['three secrets', [FIRST, SECOND_ONE, THIRD]],
    ['text that is not a secret', ['adire']],
  ])('cannot be stored with %s', (_, secrets) => {
    const stored = { ...endpoint, secrets: secrets.map((secret) => ({ secret, until: null })) };
    expect(webhookEndpointSchema.safeParse(stored).success).toBe(false);
  });
});

test('the end of the previous secret is shown until it stops signing', () => {
  const until = rotated.secrets[1]?.until ?? 0;
  expect(previousSecretUntil(endpoint, NOON)).toBeNull();
  expect(previousSecretUntil(rotated, until - 1)).toBe(until);
  expect(previousSecretUntil(rotated, until)).toBeNull();
});

test('records name the host of an endpoint with its port, and nothing else of its URL', () => {
  expect(parseHost('https://adire.example:8443/webhooks?token=1')).toBe('adire.example:8443');
});

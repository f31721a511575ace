import { type AddressInfo, createServer } from 'node:net';
import { stageKeys } from '#shared/platform/secrets/stage-keys.ts';
import { serveSecrets } from '#test/support/emulators/secrets-manager.ts';
import { longTest } from '#test/support/jest/long.ts';
import { apiEvent } from '#test/support/worlds/api-event.ts';
import { ENVIRONMENT } from '#test/support/worlds/function-environment.ts';
import { runFunction } from '#test/support/worlds/function-process.ts';
import { movableClock } from '#test/support/worlds/world.ts';

const MINUTE = 60_000;
const SECRET_ID = '/payments/dev/keys/sign-in';
const FIRST = 'the-first-key-of-thirty-two-letters-or-more';
const SECOND = 'the-second-key-of-thirty-two-letters-or-more';

describe('the keys of a stage', () => {
  let stored: string | undefined;
  let reads: string[] = [];
  let injectedError: string | undefined;
  const logged: unknown[] = [];
  const clock = movableClock(Date.UTC(2026, 10, 26, 12));
  const log = (event: string, fields: unknown): void => {
    logged.push({ event, ...(fields as object) });
  };
  const reader = () => stageKeys(SECRET_ID, { now: clock.now, log });

  beforeAll(() =>
    serveSecrets((secretId) => {
      reads.push(secretId);
      if (injectedError !== undefined) throw injectedError;
      return stored;
    }),
  );
  beforeEach(() => {
    stored = JSON.stringify({ key: FIRST });
    reads = [];
    injectedError = undefined;
    logged.length = 0;
    clock.advance(120 * MINUTE);
  });

  test('are read when their reader is made, and then once an hour for all callers', async () => {
    const read = reader();
    expect(await Promise.all([read(), read(), read()])).toEqual([[FIRST], [FIRST], [FIRST]]);
    stored = JSON.stringify({ key: SECOND, previousKey: FIRST });
    clock.advance(60 * MINUTE);
    expect(await read()).toEqual([FIRST]);
    expect(reads).toEqual([SECRET_ID]);
    clock.advance(1);
    expect(await read()).toEqual([SECOND, FIRST]);
    expect(reads).toEqual([SECRET_ID, SECRET_ID]);
  });

  test('are read again on request, at most once a minute', async () => {
    const read = reader();
    await read();
    stored = JSON.stringify({ key: SECOND });
    for (let i = 0; i < 5; i++) expect(await read({ refresh: true })).toEqual([FIRST]);
    clock.advance(MINUTE + 1);
    for (let i = 0; i < 5; i++) expect(await read({ refresh: true })).toEqual([SECOND]);
    expect(reads).toHaveLength(2);
  });

  test.each(['ThrottlingException', 'AccessDeniedException', 'InternalServiceError'])(
    'stay in use if they cannot be read again (%s), and the read is tried once a minute',
    async (name) => {
      const read = reader();
      await read();
      clock.advance(61 * MINUTE);
      injectedError = name;
      for (let i = 0; i < 5; i++) expect(await read()).toEqual([FIRST]);
      expect(logged).toEqual([{ event: 'stage_keys_not_read', secret: SECRET_ID }]);
      injectedError = undefined;
      stored = JSON.stringify({ key: SECOND });
      clock.advance(MINUTE + 1);
      expect(await read()).toEqual([SECOND]);
    },
  );

  test('are unavailable while Secrets Manager is too busy, and are read at the next request', async () => {
    injectedError = 'ThrottlingException';
    const read = reader();
    await expect(read()).rejects.toMatchObject({ name: 'DependencyUnavailable' });
    injectedError = undefined;
    expect(await read()).toEqual([FIRST]);
  });

  test.each([
    ['without a value', undefined],
    ['without JSON', FIRST],
    ['without a key', JSON.stringify({ previousKey: FIRST })],
    ['with a short key', JSON.stringify({ key: 'short' })],
    ['with a short previous key', JSON.stringify({ key: FIRST, previousKey: 'short' })],
  ])('are not read from a secret %s; the error has only the name of the secret', async (_, broken) => {
    stored = broken;
    const error = await reader()().catch((reason) => reason);
    expect(error.message).toBe(
      `The secret ${SECRET_ID} holds no key. docs/operating/secrets.md shows how to store one.`,
    );
  });

  test('are not read without permission; the error has only the names of the secret and of the failure', async () => {
    injectedError = 'AccessDeniedException';
    await expect(reader()()).rejects.toThrow(`The secret ${SECRET_ID} could not be read (AccessDeniedException).`);
  });

  longTest('make a payment page say to try again if Secrets Manager never answers', async () => {
    const silent = createServer((socket) => socket.on('error', () => {}).resume());
    await new Promise<void>((resolve) => {
      silent.listen(0, '127.0.0.1', resolve);
    });
    const link = `PAY-7H2KQ9XW4M1ZB8T5RC3N.${'A'.repeat(22)}`;
    const event = apiEvent({ method: 'GET', path: '/pay/{link}/status', params: { link } });
    const printed = await runFunction('show-checkout-status', event, {
      ...ENVIRONMENT,
      PAGE_LINK_KEYS: '/payments/dev/keys/page-links',
      AWS_ENDPOINT_URL_SECRETS_MANAGER: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    });
    silent.close();
    const { statusCode, headers, body } = JSON.parse(printed.at(-1) ?? '');
    expect([statusCode, headers['retry-after'], JSON.parse(body).code]).toEqual([503, '1', 'service_unavailable']);
  });

  test('may be in the variable itself, and then no secret is read', async () => {
    const read = stageKeys(JSON.stringify({ key: SECOND, previousKey: FIRST }), { now: clock.now, log });
    expect(await read({ refresh: true })).toEqual([SECOND, FIRST]);
    expect(reads).toEqual([]);
  });
});

import { STAGE_NAMES, settingsOf } from '#infra/config.ts';

/** Valid settings, which each test makes invalid. */
const GOOD = {
  throttle: { rate: 1_000, burst: 1_000 },
  requestsPerSecond: { live: 100, test: 25, publicAddress: 10 },
  creationAllowance: { creations: 10, seconds: 10 },
  concurrency: { reserved: true, notifications: 5, lanes: { first: 5, retry: 5, slow: 5, test: 5 } },
  logRetentionDays: 7,
  providers: {},
  defaultProvider: 'paystack',
  retrySchedule: { gaps: [5_000], afterwards: 60_000, until: 600_000 },
  webhookTargets: 'public',
  dueShards: 4,
  removal: 'retain',
};
const MONNIFY = { contractCode: '1234567890' };

const check = (stage: string, wrong: object) => () => settingsOf(stage, { [stage]: { ...GOOD, ...wrong } });

describe('the stages', () => {
  test('are these four, with valid settings', () => {
    expect(STAGE_NAMES).toEqual(['dev', 'staging', 'prod', 'emulator']);
    expect(STAGE_NAMES.map((stage) => settingsOf(stage).stage)).toEqual(STAGE_NAMES);
  });

  test('allow webhooks to any target on the emulator only', () => {
    expect(STAGE_NAMES.filter((stage) => settingsOf(stage).webhookTargets === 'any')).toEqual(['emulator']);
  });

  test.each([undefined, '', 7])('must be named: the name %p is refused', (stage) => {
    expect(() => settingsOf(stage)).toThrow(
      'Name the stage with -c stage=<name>, where <name> is one of: dev, staging, prod, emulator.',
    );
  });

  test.each(['qa', 'constructor', 'Prod'])('do not include "%s"', (stage) => {
    expect(() => settingsOf(stage)).toThrow(
      `There is no stage "${stage}" in infra/config.ts: write -c stage=<name> with one of: dev, staging, prod, emulator.`,
    );
  });
});

describe('a setting', () => {
  test('is accepted when it is valid', () => {
    expect(check('prod', {})()).toMatchObject({ stage: 'prod', dueShards: 4 });
    expect(check('prod', { providers: { monnify: MONNIFY }, defaultProvider: 'monnify' })().providers).toEqual({
      monnify: {
        ...MONNIFY,
        baseUrl: 'https://api.monnify.com',
        bank: '035',
        unsignedNotifications: false,
        wrongAmountsKeep: 'all',
      },
    });
  });

  test.each<[string, string, object, string]>([
    ['of the wrong kind', 'dev', { dueShards: 'four' }, 'dueShards invalid input: expected number, received string.'],
    ['out of range', 'dev', { dueShards: 0 }, 'dueShards too small'],
    ['that is missing', 'dev', { throttle: undefined }, 'throttle invalid input: expected object'],
    ['that is unknown', 'dev', { throtle: 1 }, 'unrecognized key: "throtle".'],
    [
      'of a provider that is unknown',
      'dev',
      { providers: { monnify: { ...MONNIFY, unsignedNotification: true } }, defaultProvider: 'monnify' },
      'providers.monnify unrecognized key: "unsignedNotification".',
    ],
    [
      'that AWS would refuse',
      'dev',
      { concurrency: { ...GOOD.concurrency, lanes: { ...GOOD.concurrency.lanes, first: 1 } } },
      'concurrency.lanes.first too small',
    ],
    ['that is not an ARN', 'dev', { domain: { name: 'api.example.com', certificateArn: 'x' } }, 'certificate in ACM'],
    ['with a log retention that AWS does not offer', 'dev', { logRetentionDays: 8 }, 'logRetentionDays'],
    [
      'that would throttle the API for a single key',
      'dev',
      { throttle: { rate: 399, burst: 1_000 } },
      'throttle.rate must be at least 4 times the requests a second of one key.',
    ],
    ['with too small a burst', 'dev', { throttle: { rate: 400, burst: 99 } }, 'throttle.burst must be at least'],
    [
      'with a default provider that is off',
      'dev',
      { providers: { monnify: MONNIFY } },
      'defaultProvider must be one of the providers that are enabled.',
    ],
    [
      'with a secretId',
      'dev',
      { providers: { monnify: { ...MONNIFY, secretId: 'x' } }, defaultProvider: 'monnify' },
      'providers must leave secretId out, since the data stack makes and names the secrets.',
    ],
    [
      'with any target in prod',
      'prod',
      { webhookTargets: 'any' },
      'webhookTargets must be "public" in prod, since "any" lets webhooks reach into AWS.',
    ],
    [
      'with unsigned notifications in prod',
      'prod',
      { providers: { monnify: { ...MONNIFY, unsignedNotifications: true } }, defaultProvider: 'monnify' },
      'providers.monnify.unsignedNotifications must be false in prod',
    ],
    ['that lets prod be destroyed', 'prod', { removal: 'destroy' }, 'removal must be "retain" in prod.'],
  ])('%s is refused', (_what, stage, wrong, sentence) => {
    expect(check(stage, wrong)).toThrow(`Correct stage "${stage}" in infra/config.ts: `);
    expect(check(stage, wrong)).toThrow(sentence);
  });

  test('that is invalid is refused together with the others, in one sentence', () => {
    expect(check('prod', { removal: 'destroy', webhookTargets: 'any' })).toThrow(
      /^Correct stage "prod" in infra\/config\.ts: webhookTargets [^.;]*; removal [^.;]*\.$/,
    );
  });

  test('may allow any target, destruction and unsigned notifications outside prod', () => {
    const loose = {
      webhookTargets: 'any',
      removal: 'destroy',
      providers: { monnify: { ...MONNIFY, unsignedNotifications: true } },
      defaultProvider: 'monnify',
    };
    expect(check('dev', loose)).not.toThrow();
  });
});

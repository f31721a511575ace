import { readStageSettings, STAGE_NAMES } from '#infra/config.ts';
import { ensureDeployable } from '#infra/constructs/deployable.ts';
import { computeReserved, sumReserved } from '#infra/constructs/reserved-concurrency.ts';
import { ensureThrottledRoutesStay, throttledRoutes } from '#infra/constructs/route-throttles.ts';
import { countWrites } from '#infra/costs/scaling/at-providers.ts';
import { ALL_FUNCTIONS } from '#infra/dashboard-functions.ts';
import { DEFAULT_PROVIDER_QUOTA } from '#infra/default-limits.ts';
import { listRoutes, listSessionRoutes } from '#infra/function-spec.ts';
import { THROTTLED_ROUTES } from '#infra/throttled-routes.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';

const TEN = { rate: 10, burst: 10 };
const THROTTLE = {
  rate: 1_000,
  burst: 1_000,
  notifications: TEN,
  health: TEN,
  pages: TEN,
  payers: TEN,
  payersForms: TEN,
  logos: TEN,
  management: TEN,
  dashboard: TEN,
  otherPaths: TEN,
};
/** Valid settings, which each test makes invalid. */
const GOOD = {
  throttle: THROTTLE,
  requestsPerSecond: { live: 100, test: 25, publicAddress: 10 },
  providerQuota: DEFAULT_PROVIDER_QUOTA,
  concurrency: {
    reserved: true,
    notifications: 10,
    lanes: {
      first: 5,
      retry: 5,
      slow: 5,
      test: 5,
      'money-paystack': 2,
      'money-monnify': 2,
      'money-korapay': 2,
      'money-test': 2,
    },
    ceiling: 5,
  },
  logRetentionDays: 7,
  providers: {},
  defaultProvider: 'paystack',
  retrySchedule: { gaps: [5_000], afterwards: 60_000, until: 600_000 },
  webhookTargets: 'public',
  dueShards: 4,
  removal: 'retain',
};
const MONNIFY = { contractCode: '1234567890' };

const checking = (stage: string, wrong: object) => () => readStageSettings(stage, { [stage]: { ...GOOD, ...wrong } });

const TWO_PROVIDERS = { providers: { monnify: MONNIFY, korapay: {} }, defaultProvider: 'monnify' };
/** Invalid routing orders of providers. */
const INVALID_ROUTING: [string, string, object, string][] = [
  [
    'that routes to a provider that is off',
    'dev',
    { ...TWO_PROVIDERS, routing: { order: ['monnify', 'paystack'] } },
    'routing.order must name only enabled providers.',
  ],
  [
    'that routes to one provider twice',
    'dev',
    { ...TWO_PROVIDERS, routing: { order: ['monnify', 'korapay', 'monnify'] } },
    'routing.order must not name a provider twice.',
  ],
  [
    'whose order does not begin with the default',
    'dev',
    { ...TWO_PROVIDERS, routing: { order: ['korapay', 'monnify'] } },
    'routing.order must begin with defaultProvider, which businesses without routing use.',
  ],
  [
    'that routes to a provider that does not exist',
    'dev',
    { ...TWO_PROVIDERS, routing: { order: ['wema'] } },
    'routing.order.0',
  ],
];

describe('the stages', () => {
  test('have four names, and valid settings', () => {
    expect(STAGE_NAMES).toEqual(['dev', 'staging', 'prod', 'emulator']);
    expect(STAGE_NAMES.map((stage) => readStageSettings(stage).stage)).toEqual(STAGE_NAMES);
  });

  test.each(STAGE_NAMES)(
    'keep at least 700 of 1,000 executions unreserved, most of them for checkouts and accounts: %s',
    (stage) => {
      const { concurrency, throttle } = readStageSettings(stage);
      const rest = concurrency.quota - sumReserved(concurrency);
      expect(concurrency.quota).toBe(1_000);
      expect(rest).toBeGreaterThanOrEqual(700);
      // The bursts of all management and dashboard routes together leave more than a hundred executions.
      const routes = ALL_FUNCTIONS.flatMap(({ trigger, isManagement, isDashboard }) => [
        ...(isManagement ? listRoutes(trigger).map(() => throttle.management.burst) : []),
        ...(isDashboard ? listRoutes(trigger).map(() => throttle.dashboard.burst) : []),
        ...listSessionRoutes(trigger).map(() => throttle.dashboard.burst),
      ]);
      expect(rest - routes.reduce((sum, burst) => sum + burst, 0)).toBeGreaterThan(100);
    },
  );

  test.each(STAGE_NAMES)('reserve at most 60 executions for slow functions, in %s', (stage) => {
    const { concurrency } = readStageSettings(stage);
    const limited = ALL_FUNCTIONS.filter(({ isManagement, isDashboard }) => isManagement || isDashboard);
    const ceilings = limited.map((spec) => computeReserved(concurrency, spec) ?? 0);
    expect(ceilings.reduce((sum, ceiling) => sum + ceiling, 0)).toBe(concurrency.reserved ? 25 : 0);
    expect(checking('prod', { concurrency: { ...GOOD.concurrency, ceiling: 12 } })).not.toThrow();
    expect(checking('prod', { concurrency: { ...GOOD.concurrency, ceiling: 13 } })).toThrow(
      'concurrency.ceiling must reserve at most 60 executions for all functions with a ceiling together.',
    );
  });

  test.each(STAGE_NAMES)('stay valid with a dashboard: %s', (stage) => {
    const { stage: _, ...settings } = readStageSettings(stage);
    const mail = { from: 'payments@example.com' };
    expect(readStageSettings(stage, { [stage]: { ...settings, mail } }).mail).toEqual(mail);
  });

  test('allow webhooks to any target only on the emulator', () => {
    expect(STAGE_NAMES.filter((stage) => readStageSettings(stage).webhookTargets === 'any')).toEqual(['emulator']);
  });

  test.each([undefined, '', 7])('must be named, so the name %p is refused', (stage) => {
    expect(() => readStageSettings(stage)).toThrow(
      'Name the stage with -c stage=<name>, where <name> is one of: dev, staging, prod, emulator.',
    );
  });

  test.each(['qa', 'constructor', 'Prod'])('do not include "%s"', (stage) => {
    expect(() => readStageSettings(stage)).toThrow(
      `There is no stage "${stage}" in infra/config.ts. Give -c stage=<name>, where <name> is one of: dev, staging, prod, emulator.`,
    );
  });
});

describe('the default provider quota', () => {
  /** A reported limit of Paystack, the lowest of all (providers.md section 0). */
  const REPORTED = 300;
  test.each(PROVIDERS)('stays below the limit of %s', (provider) => {
    const { publicCreations, addressCreations } = DEFAULT_PROVIDER_QUOTA;
    expect(countWrites(provider, DEFAULT_PROVIDER_QUOTA).inAMinute).toBeLessThan(REPORTED);
    expect(addressCreations).toBeLessThan(publicCreations);
  });
});

describe('settings of a stage', () => {
  test('accept valid values', () => {
    expect(checking('prod', { concurrency: { ...GOOD.concurrency, quota: 800 } })().concurrency.quota).toBe(800);
    expect(checking('prod', {})()).toMatchObject({ stage: 'prod', dueShards: 4 });
    expect(checking('prod', { providers: { monnify: MONNIFY }, defaultProvider: 'monnify' })().providers).toEqual({
      monnify: {
        ...MONNIFY,
        baseUrl: 'https://api.monnify.com',
        bank: '50515',
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
    [
      'that reserves more than AWS allows',
      'prod',
      { concurrency: { ...GOOD.concurrency, quota: 154 } },
      'concurrency must leave 100 executions of its quota unreserved, because AWS keeps them.',
    ],
    ['that is not an ARN', 'dev', { domain: { name: 'api.example.com', certificateArn: 'x' } }, 'ACM certificate'],
    ['with a log retention that AWS does not offer', 'dev', { logRetentionDays: 8 }, 'logRetentionDays'],
    [
      'that would throttle the API for a single key',
      'dev',
      { throttle: { ...THROTTLE, rate: 399 } },
      'throttle.rate must be at least 4 times the requests per second of one key.',
    ],
    ['with too small a burst', 'dev', { throttle: { ...THROTTLE, burst: 99 } }, 'throttle.burst must be at least'],
    ['without a throttle for a route', 'dev', { throttle: { rate: 1_000, burst: 1_000 } }, 'throttle.notifications'],
    [
      'that lets strangers have more than half of the requests a second',
      'dev',
      // The rate of /health counts twice, because GET and HEAD are separate routes.
      { throttle: { ...THROTTLE, health: { rate: 231, burst: 10 } } },
      'throttle must give all routes without a key together at most half of throttle.rate.',
    ],
    [
      'that lets strangers have more than half of the requests at once',
      'dev',
      { throttle: { ...THROTTLE, otherPaths: { rate: 10, burst: 431 } } },
      'throttle must give all routes without a key together at most half of throttle.burst.',
    ],
    [
      'that admits more notifications at once than may run',
      'dev',
      { throttle: { ...THROTTLE, notifications: { rate: 10, burst: 11 } } },
      'throttle.notifications.burst must be at most concurrency.notifications',
    ],
    [
      'that lets management and the dashboard use executions that checkouts need',
      'prod',
      { throttle: { ...THROTTLE, management: { rate: 10, burst: 60 } } },
      'throttle must leave executions for checkouts: the bursts of all management and dashboard routes together may be at most the unreserved executions.',
    ],
    [
      'with a default provider that is off',
      'dev',
      { providers: { monnify: MONNIFY } },
      'defaultProvider must be one of the enabled providers.',
    ],
    ...INVALID_ROUTING,
    [
      'with faults of the sandbox in prod',
      'prod',
      { sandbox: { monnify: 'slow' } },
      'sandbox must be left out in prod, because it makes test checkouts of every business fail.',
    ],
    [
      'with a secretId',
      'dev',
      { providers: { monnify: { ...MONNIFY, secretId: 'x' } }, defaultProvider: 'monnify' },
      'providers must leave secretId out, because the data stack creates and names the secrets.',
    ],
    [
      'with less warm throughput than DynamoDB gives anyway',
      'dev',
      { warmThroughput: { reads: 12_000, writes: 3_999 } },
      'warmThroughput.writes too small',
    ],
    [
      'whose mostThroughput is below its warmThroughput',
      'dev',
      { warmThroughput: { reads: 12_000, writes: 8_000 }, mostThroughput: { reads: 12_000, writes: 7_999 } },
      'mostThroughput.writes must be at least warmThroughput.writes, because that is paid for.',
    ],
    [
      'with any target in prod',
      'prod',
      { webhookTargets: 'any' },
      'webhookTargets must be "public" in prod, because "any" lets webhooks reach private addresses in AWS.',
    ],
    [
      'with unsigned notifications in prod',
      'prod',
      { providers: { monnify: { ...MONNIFY, unsignedNotifications: true } }, defaultProvider: 'monnify' },
      'providers.monnify.unsignedNotifications must be false in prod',
    ],
    ['that lets prod be destroyed', 'prod', { removal: 'destroy' }, 'removal must be "retain" in prod.'],
  ])('must not include a setting %s', (_what, stage, wrong, sentence) => {
    expect(checking(stage, wrong)).toThrow(`Correct stage "${stage}" in infra/config.ts: `);
    expect(checking(stage, wrong)).toThrow(sentence);
  });

  test('get one error that names all invalid ones', () => {
    expect(checking('prod', { removal: 'destroy', webhookTargets: 'any' })).toThrow(
      /^Correct stage "prod" in infra\/config\.ts: webhookTargets [^.;]*; removal [^.;]*\.$/,
    );
  });

  test('may route to the enabled providers, and route to none by default', () => {
    expect(
      checking('prod', { ...TWO_PROVIDERS, routing: { order: ['monnify', 'korapay'] } })().routing.order,
    ).toHaveLength(2);
    expect(checking('prod', {})().routing).toEqual({ order: [] });
  });

  test('may be exactly at their limits', () => {
    const most = { ...THROTTLE, otherPaths: { rate: 340, burst: 340 } };
    expect(checking('dev', { throttle: most })).not.toThrow();
  });

  test('may allow any target, destruction and unsigned notifications outside prod', () => {
    const loose = {
      webhookTargets: 'any',
      removal: 'destroy',
      providers: { monnify: { ...MONNIFY, unsignedNotifications: true } },
      defaultProvider: 'monnify',
    };
    expect(checking('dev', loose)).not.toThrow();
  });
});

describe('the check before a deployment', () => {
  const PLACE = { account: '111122223333', region: 'eu-west-1' };
  const alarms = { email: 'oncall@example.com' };
  const stageWith = (stage: string, more: object) => readStageSettings(stage, { [stage]: { ...GOOD, ...more } });
  const deploying = (stage: string, more: object) => () => ensureDeployable(stageWith(stage, more));

  test('refuses prod without a recipient of its alarms, and says what to set', () => {
    expect(deploying('prod', PLACE)).toThrow(
      /^Correct stage "prod" in infra\/config\.ts: alarms must say who gets the alarms, [^.;]*: set alarms: \{ email: 'oncall@example\.com' \}, or \{ topicArn: … \}[^.;]*\.$/,
    );
  });

  test.each([{ email: 'oncall@example.com' }, { topicArn: 'arn:aws:sns:eu-west-1:111122223333:on-call' }])(
    'accepts prod with account, region and %j',
    (recipient) => {
      expect(deploying('prod', { ...PLACE, alarms: recipient })).not.toThrow();
    },
  );

  test.each(['account', 'region'] as const)('refuses prod without its %s', (name) => {
    const { [name]: _, ...rest } = PLACE;
    expect(deploying('prod', { ...rest, alarms })).toThrow(
      new RegExp(
        `^Correct stage "prod" in infra/config\\.ts: ${name} must be the .* of prod.*: otherwise credentials of another account or region would deploy it there\\.$`,
      ),
    );
  });

  test('names everything that prod lacks in one sentence', () => {
    expect(deploying('prod', {})).toThrow(/^[^.]*\.ts: account [^;]*; region [^;]*; alarms [^;]*\.$/);
  });

  test('accepts other stages without these settings, and the operations command needs none of them', () => {
    expect(deploying('staging', {})).not.toThrow();
    expect(stageWith('prod', {})).toMatchObject({ stage: 'prod' });
  });

  test.each(['dev', 'prod'])('refuses %s with a dashboard but without the identity of its mails', (stage) => {
    const from = 'payments@mail.example.com';
    const rest = { ...PLACE, alarms };
    expect(deploying(stage, { ...rest, mail: { from } })).toThrow(
      `Correct stage "${stage}" in infra/config.ts: mail.identity must be the domain or address that SES has verified, such as identity: 'mail.example.com' (see "aws sesv2 list-email-identities").`,
    );
    for (const identity of ['example.com', 'mail.example.com', from]) {
      expect(deploying(stage, { ...rest, mail: { from, identity } })).not.toThrow();
    }
  });

  test.each(['other.com', 'ample.com', 'a@mail.example.com', 'x.mail.example.com'])(
    'refuses an identity to which the sender does not belong: %s',
    (identity) => {
      expect(() => stageWith('dev', { mail: { from: 'payments@mail.example.com', identity } })).toThrow(
        'mail.identity must be the address mail.from, its domain, or a parent domain.',
      );
    },
  );
});

describe('the contact for integrators', () => {
  test.each([undefined, { email: 'integrations@example.com' }, { url: 'https://example.com/support' }])(
    'may be %j',
    (contact) => {
      expect(readStageSettings('dev', { dev: { ...GOOD, contact } }).contact).toEqual(contact);
    },
  );

  test.each([
    [{}, 'contact must have an email, a url, or both; leave the contact out if there is neither'],
    [{ email: 'ada' }, 'contact.email must be an e-mail address, such as integrations@example.com'],
    [{ url: 'http://example.com' }, 'contact.url must be an https address, such as https://example.com/support'],
  ])('must not be %j', (contact, message) => {
    expect(checking('dev', { contact })).toThrow(`Correct stage "dev" in infra/config.ts: ${message}.`);
  });
});

describe('a route with a throttle', () => {
  const routes = throttledRoutes({ ...readStageSettings('prod'), mail: {} }).map(({ route }) => route);

  test('must be in the list of deployed routes, in every stage', () => {
    for (const stage of STAGE_NAMES) expect(() => ensureThrottledRoutesStay(readStageSettings(stage))).not.toThrow();
    expect(THROTTLED_ROUTES.toSorted()).toEqual(routes.toSorted());
  });

  test('cannot be removed unnoticed, because synth says what to do first', () => {
    expect(() => ensureThrottledRoutesStay(readStageSettings('dev'), [...routes, 'GET /api/v1/gone'])).toThrow(
      /^The route "GET \/api\/v1\/gone" had a throttle and does not exist any more\. API Gateway would keep the throttle and reject a later deployment\. First delete the throttle in every stage \(docs\/operating\/runbook\.md, "A route with a throttle is removed"\), then remove the route from infra\/throttled-routes\.ts\.$/,
    );
  });

  test('must be added to the list if it is new', () => {
    const [first = '', ...others] = routes;
    expect(() => ensureThrottledRoutesStay(readStageSettings('dev'), others)).toThrow(
      `Add the route "${first}" to infra/throttled-routes.ts. Then its later removal cannot go unnoticed.`,
    );
  });
});

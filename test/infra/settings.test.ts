import { readStageSettings, STAGE_NAMES } from '#infra/config.ts';
import { ensureDeployable } from '#infra/constructs/deployable.ts';
import { reservedFor, sumReserved } from '#infra/constructs/reserved-concurrency.ts';
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

const check = (stage: string, wrong: object) => () => readStageSettings(stage, { [stage]: { ...GOOD, ...wrong } });

const BOTH = { providers: { monnify: MONNIFY, korapay: {} }, defaultProvider: 'monnify' };
/** Orders of providers that make no sense. */
const ROUTING_REFUSED: [string, string, object, string][] = [
  [
    'that routes to a provider that is off',
    'dev',
    { ...BOTH, routing: { order: ['monnify', 'paystack'] } },
    'routing.order must name providers that are enabled.',
  ],
  [
    'that routes to one provider twice',
    'dev',
    { ...BOTH, routing: { order: ['monnify', 'korapay', 'monnify'] } },
    'routing.order must name each provider once.',
  ],
  [
    'whose order does not begin with the default',
    'dev',
    { ...BOTH, routing: { order: ['korapay', 'monnify'] } },
    'routing.order must begin with defaultProvider, which businesses without routing go to.',
  ],
  [
    'that routes to a provider that does not exist',
    'dev',
    { ...BOTH, routing: { order: ['wema'] } },
    'routing.order.0',
  ],
];

describe('the stages', () => {
  test('are these four, with valid settings', () => {
    expect(STAGE_NAMES).toEqual(['dev', 'staging', 'prod', 'emulator']);
    expect(STAGE_NAMES.map((stage) => readStageSettings(stage).stage)).toEqual(STAGE_NAMES);
  });

  test.each(STAGE_NAMES)(
    'leave what AWS keeps unreserved, and most of the rest to checkouts and accounts: %s',
    (stage) => {
      const { concurrency, throttle } = readStageSettings(stage);
      const rest = concurrency.quota - sumReserved(concurrency);
      expect(concurrency.quota).toBe(1_000);
      expect(rest).toBeGreaterThanOrEqual(700);
      // What management and the dashboard may have at once, all of their routes together, leaves more than a hundred.
      const routes = ALL_FUNCTIONS.flatMap(({ trigger, isManagement, isDashboard }) => [
        ...(isManagement ? listRoutes(trigger).map(() => throttle.management.burst) : []),
        ...(isDashboard ? listRoutes(trigger).map(() => throttle.dashboard.burst) : []),
        ...listSessionRoutes(trigger).map(() => throttle.dashboard.burst),
      ]);
      expect(rest - routes.reduce((sum, burst) => sum + burst, 0)).toBeGreaterThan(100);
    },
  );

  test.each(STAGE_NAMES)('fence off at most 60 executions for management and the dashboard, in %s', (stage) => {
    const { concurrency } = readStageSettings(stage);
    const fenced = ALL_FUNCTIONS.filter(({ isManagement, isDashboard }) => isManagement || isDashboard);
    const ceilings = fenced.map((spec) => reservedFor(concurrency, spec) ?? 0);
    expect(ceilings.reduce((sum, ceiling) => sum + ceiling, 0)).toBe(concurrency.reserved ? 25 : 0);
    expect(check('prod', { concurrency: { ...GOOD.concurrency, ceiling: 12 } })).not.toThrow();
    expect(check('prod', { concurrency: { ...GOOD.concurrency, ceiling: 13 } })).toThrow(
      'concurrency.ceiling must fence off at most 60 executions, all functions with a ceiling together.',
    );
  });

  test.each(STAGE_NAMES)('stay valid with a dashboard: %s', (stage) => {
    const { stage: _, ...settings } = readStageSettings(stage);
    const mail = { from: 'payments@example.com' };
    expect(readStageSettings(stage, { [stage]: { ...settings, mail } }).mail).toEqual(mail);
  });

  test('allow webhooks to any target on the emulator only', () => {
    expect(STAGE_NAMES.filter((stage) => readStageSettings(stage).webhookTargets === 'any')).toEqual(['emulator']);
  });

  test.each([undefined, '', 7])('must be named: the name %p is refused', (stage) => {
    expect(() => readStageSettings(stage)).toThrow(
      'Name the stage with -c stage=<name>, where <name> is one of: dev, staging, prod, emulator.',
    );
  });

  test.each(['qa', 'constructor', 'Prod'])('do not include "%s"', (stage) => {
    expect(() => readStageSettings(stage)).toThrow(
      `There is no stage "${stage}" in infra/config.ts: write -c stage=<name> with one of: dev, staging, prod, emulator.`,
    );
  });
});

describe('the default quota at a provider', () => {
  /** What was reported of Paystack, the lowest of any (providers.md section 0). */
  const REPORTED = 300;
  test.each(PROVIDERS)('stays below what %s takes', (provider) => {
    const { publicCreations, addressCreations } = DEFAULT_PROVIDER_QUOTA;
    expect(countWrites(provider, DEFAULT_PROVIDER_QUOTA).inAMinute).toBeLessThan(REPORTED);
    expect(addressCreations).toBeLessThan(publicCreations);
  });
});

describe('a setting', () => {
  test('is accepted when it is valid', () => {
    expect(check('prod', { concurrency: { ...GOOD.concurrency, quota: 800 } })().concurrency.quota).toBe(800);
    expect(check('prod', {})()).toMatchObject({ stage: 'prod', dueShards: 4 });
    expect(check('prod', { providers: { monnify: MONNIFY }, defaultProvider: 'monnify' })().providers).toEqual({
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
      'concurrency must leave 100 of its quota unreserved, which AWS insists on.',
    ],
    ['that is not an ARN', 'dev', { domain: { name: 'api.example.com', certificateArn: 'x' } }, 'certificate in ACM'],
    ['with a log retention that AWS does not offer', 'dev', { logRetentionDays: 8 }, 'logRetentionDays'],
    [
      'that would throttle the API for a single key',
      'dev',
      { throttle: { ...THROTTLE, rate: 399 } },
      'throttle.rate must be at least 4 times the requests a second of one key.',
    ],
    ['with too small a burst', 'dev', { throttle: { ...THROTTLE, burst: 99 } }, 'throttle.burst must be at least'],
    ['without a throttle for a route', 'dev', { throttle: { rate: 1_000, burst: 1_000 } }, 'throttle.notifications'],
    [
      'that lets strangers have more than half of the requests a second',
      'dev',
      // Twice, because HEAD is a route of its own.
      { throttle: { ...THROTTLE, health: { rate: 231, burst: 10 } } },
      'throttle must give the routes that need no key at most half of its rate, all of them together.',
    ],
    [
      'that lets strangers have more than half of the requests at once',
      'dev',
      { throttle: { ...THROTTLE, otherPaths: { rate: 10, burst: 431 } } },
      'throttle must give the routes that need no key at most half of its burst, all of them together.',
    ],
    [
      'that admits more notifications at once than may run',
      'dev',
      { throttle: { ...THROTTLE, notifications: { rate: 10, burst: 11 } } },
      'throttle.notifications.burst must be at most concurrency.notifications',
    ],
    [
      'that lets management and the dashboard have what checkouts need at once',
      'prod',
      { throttle: { ...THROTTLE, management: { rate: 10, burst: 60 } } },
      'throttle must leave what checkouts need: management and dashboard may have at most what is not reserved at once, all their routes together.',
    ],
    [
      'with a default provider that is off',
      'dev',
      { providers: { monnify: MONNIFY } },
      'defaultProvider must be one of the providers that are enabled.',
    ],
    ...ROUTING_REFUSED,
    [
      'with faults of the sandbox in prod',
      'prod',
      { sandbox: { monnify: 'slow' } },
      'sandbox must be left out in prod, since it would fail the tests of every business.',
    ],
    [
      'with a secretId',
      'dev',
      { providers: { monnify: { ...MONNIFY, secretId: 'x' } }, defaultProvider: 'monnify' },
      'providers must leave secretId out, since the data stack makes and names the secrets.',
    ],
    [
      'with less warm throughput than DynamoDB gives anyway',
      'dev',
      { warmThroughput: { reads: 12_000, writes: 3_999 } },
      'warmThroughput.writes too small',
    ],
    [
      'whose fuse is below what was warmed',
      'dev',
      { warmThroughput: { reads: 12_000, writes: 8_000 }, mostThroughput: { reads: 12_000, writes: 7_999 } },
      'mostThroughput.writes must be at least warmThroughput.writes, which is paid for.',
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

  test('may route to the providers that are enabled, and has none to route to where it says nothing', () => {
    expect(check('prod', { ...BOTH, routing: { order: ['monnify', 'korapay'] } })().routing.order).toHaveLength(2);
    expect(check('prod', {})().routing).toEqual({ order: [] });
  });

  test('may be at its limit', () => {
    const most = { ...THROTTLE, otherPaths: { rate: 340, burst: 340 } };
    expect(check('dev', { throttle: most })).not.toThrow();
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

describe('what a stage lacks', () => {
  const PLACE = { account: '111122223333', region: 'eu-west-1' };
  const alarms = { email: 'oncall@example.com' };
  const stageWith = (stage: string, more: object) => readStageSettings(stage, { [stage]: { ...GOOD, ...more } });
  const deploying = (stage: string, more: object) => () => ensureDeployable(stageWith(stage, more));

  test('of a recipient of its alarms keeps prod from being deployed: one sentence says what to write', () => {
    expect(deploying('prod', PLACE)).toThrow(
      /^Correct stage "prod" in infra\/config\.ts: alarms must say who is called: write alarms: \{ email: 'oncall@example\.com' \}, or \{ topicArn: … \}[^.;]*\.$/,
    );
  });

  test.each([{ email: 'oncall@example.com' }, { topicArn: 'arn:aws:sns:eu-west-1:111122223333:on-call' }])(
    'is nothing in prod with account, region and %j',
    (recipient) => {
      expect(deploying('prod', { ...PLACE, alarms: recipient })).not.toThrow();
    },
  );

  test.each(['account', 'region'] as const)('of its %s keeps prod from being deployed', (name) => {
    const { [name]: _, ...rest } = PLACE;
    expect(deploying('prod', { ...rest, alarms })).toThrow(
      new RegExp(
        `^Correct stage "prod" in infra/config\\.ts: ${name} must say where prod is, .*: credentials of another account or region would deploy it there\\.$`,
      ),
    );
  });

  test('keeps it from being deployed in one sentence, whatever it is', () => {
    expect(deploying('prod', {})).toThrow(/^[^.]*\.ts: account [^;]*; region [^;]*; alarms [^;]*\.$/);
  });

  test('may be lacking elsewhere, and where the operations command only looks at it', () => {
    expect(deploying('staging', {})).not.toThrow();
    expect(stageWith('prod', {})).toMatchObject({ stage: 'prod' });
  });

  test.each(['dev', 'prod'])('of the identity of its mails keeps %s with a dashboard from being deployed', (stage) => {
    const from = 'payments@mail.example.com';
    const rest = { ...PLACE, alarms };
    expect(deploying(stage, { ...rest, mail: { from } })).toThrow(
      `Correct stage "${stage}" in infra/config.ts: mail.identity must name what SES has verified, the domain or the address alone, such as identity: 'mail.example.com': aws sesv2 list-email-identities shows them.`,
    );
    for (const identity of ['example.com', 'mail.example.com', from]) {
      expect(deploying(stage, { ...rest, mail: { from, identity } })).not.toThrow();
    }
  });

  test.each(['other.com', 'ample.com', 'a@mail.example.com', 'x.mail.example.com'])(
    'is no identity that the sender does not belong to: %s',
    (identity) => {
      expect(() => stageWith('dev', { mail: { from: 'payments@mail.example.com', identity } })).toThrow(
        'mail.identity must be the address mail.from, its domain, or a domain above that.',
      );
    },
  );
});

describe('whom integrators ask', () => {
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
  ])('is never %j', (contact, message) => {
    expect(check('dev', { contact })).toThrow(`Correct stage "dev" in infra/config.ts: ${message}.`);
  });
});

describe('a route with a throttle', () => {
  const routes = throttledRoutes({ ...readStageSettings('prod'), mail: {} }).map(({ route }) => route);

  test('is in the list of those that were deployed, in every stage', () => {
    for (const stage of STAGE_NAMES) expect(() => ensureThrottledRoutesStay(readStageSettings(stage))).not.toThrow();
    expect(THROTTLED_ROUTES.toSorted()).toEqual(routes.toSorted());
  });

  test('does not go unnoticed: synth says what to do before', () => {
    expect(() => ensureThrottledRoutesStay(readStageSettings('dev'), [...routes, 'GET /api/v1/gone'])).toThrow(
      /^The route "GET \/api\/v1\/gone" had a throttle and is gone: API Gateway would keep the throttle and refuse a later deployment\. Delete it in every stage first \(docs\/operating\/runbook\.md, "A route goes that has a throttle"\), then take the route out of infra\/throttled-routes\.ts\.$/,
    );
  });

  test('is listed when it is new', () => {
    const [first = '', ...others] = routes;
    expect(() => ensureThrottledRoutesStay(readStageSettings('dev'), others)).toThrow(
      `Add the route "${first}" to infra/throttled-routes.ts, so that it cannot go unnoticed one day.`,
    );
  });
});

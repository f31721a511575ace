import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as fc from 'fast-check';
import { writeStackFile } from '#infra/local/data/stack-file.ts';
import { type Simulator, startSimulator } from '#infra/local/simulator/simulator.ts';
import type { Stage } from '#infra/ops/connect.ts';
import { toFailure } from '#infra/ops/failure.ts';
import { operationsProgram } from '#infra/ops/program.ts';
import { readSandboxAccess, readTryCustomer } from '#infra/ops/provider-try/access.ts';
import { recordExchanges } from '#infra/ops/provider-try/exchanges.ts';
import type { TryReport } from '#infra/ops/provider-try/report.ts';
import { newScene } from '#infra/ops/provider-try/scene.ts';
import { tryProvider } from '#infra/ops/provider-try/try-provider.ts';
import { runtime } from '#shared/platform/runtime.ts';
import { providerHttp } from '#shared/providers/common/http.ts';
import { type Fixture, shapeDifferences } from '#shared/providers/common/simulator/fixture.ts';
import { fixturesFor, STEP_NAMES, type StepName } from '#shared/providers/common/simulator/tried-provider.ts';
import { credentialsVariable } from '#shared/providers/credentials.ts';
import { type ProviderName, providerName } from '#shared/providers/domain/provider.ts';
import { type ProviderSettings, providerSettings } from '#shared/providers/settings.ts';
import { SIMULATORS } from '#shared/providers/simulators.ts';
import { type AnswerProxy, type PassedCall, startAnswerProxy } from '#test/support/emulators/answer-proxy.ts';
import { serveSecrets } from '#test/support/emulators/secrets-manager.ts';
import { isLongRun, longerTest, longTest, setRuns } from '#test/support/jest/long.ts';
import { applyChange, type Change, listChanges } from '#test/support/worlds/changed-fields.ts';

const NAMES = providerName.options;
const before = { ...process.env };
let simulator: Simulator;
let proxy: AnswerProxy;
let folder: string;

const start = async (): Promise<void> => {
  simulator = await startSimulator();
  proxy = await startAnswerProxy(new URL(simulator.baseUrls.paystack).origin);
};
const stop = async (): Promise<void> => {
  await proxy.stop();
  await simulator.stop();
};
beforeAll(start);
afterAll(stop);
/** Starts a new simulator, so that lists have only the payments of this run and every run makes the same calls. */
const startAfresh = async (): Promise<void> => {
  await stop();
  await start();
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'provider-try-'));
  process.env.DATA_DIR = folder;
  process.env.PROVIDERS = JSON.stringify({
    paystack: { customerEmailDomain: 'accounts.example.com' },
    monnify: { contractCode: SIMULATORS.monnify.settings.contractCode },
  });
  for (const name of NAMES) process.env[credentialsVariable(name)] = JSON.stringify(simulator.credentials[name]);
  proxy.change(({ json }) => json);
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  process.env = { ...before };
});

/** Returns the address of a provider at the simulator, through the proxy. */
const proxyUrl = (name: ProviderName): string => `${proxy.origin}${new URL(simulator.baseUrls[name]).pathname}`;
const readReport = (): TryReport | undefined => {
  const [file] = readdirSync(folder);
  return file === undefined ? undefined : JSON.parse(readFileSync(join(folder, file), 'utf8'));
};

/** Called with each line of progress. */
let onLine: (line: string) => void = () => {};

/** Runs the operations command. Returns its output and its exit code. */
const runCommand = async (connect: () => Stage, ...args: string[]) => {
  let printed = '';
  const exitCode = await operationsProgram({
    connect,
    out: (text) => {
      printed += text;
    },
    err: (text) => {
      onLine(text);
      printed += text;
    },
  })
    .parseAsync(['node', 'ops', ...args])
    .then(
      () => 0,
      (error: unknown) => {
        const failure = toFailure(error);
        printed += `${failure?.message}\n`;
        return failure?.exitCode;
      },
    );
  return { printed, exitCode };
};
const noStage = (): never => {
  throw new Error('A try without --stage connects no stage.');
};
/** Tries a provider without a stage. Returns the report too. */
const run = async (name: string, ...args: string[]) => ({
  ...(await runCommand(noStage, 'provider', 'try', name, '--out', folder, ...args)),
  report: readReport(),
});
const runProxied = (name: ProviderName, ...args: string[]) => run(name, ...args, '--base-url', proxyUrl(name));

type Surroundings = Parameters<typeof newScene>[5];
/** Runs the steps of a try without the command, with another clock or another way to wait in `around`. */
const runSteps = async (name: ProviderName, baseUrl: string, around: Partial<Surroundings>) => {
  const tried = SIMULATORS[name].trial;
  const access = await readSandboxAccess(name, tried, { baseUrl, stageSettings: undefined });
  const exchanges = recordExchanges(providerHttp({ baseUrl, now: Date.now }), Date.now);
  const surroundings = { ...runtime, payWithin: undefined, say: () => {}, ...around };
  return tryProvider(tried, newScene(name, tried, access, exchanges, readTryCustomer(), surroundings), Date.now);
};

/** Makes a customer whom no earlier run has used, because Monnify gives a person only one account. */
let people = 0;
const newPerson = () => {
  people += 1;
  return {
    name: 'Oluwaseun Zwingli-Okpara',
    phone: '+2348039998877',
    email: `o.zwingli.${people}@planted.example.com`,
    bvn: String(22_987_000_000 + people),
    nin: String(71_654_000_000 + people),
  };
};
beforeEach(() => {
  process.env.TRY_CUSTOMER = JSON.stringify(newPerson());
});

describe('provider try against the simulator', () => {
  test.each(NAMES)('is green at %s, and prints the report as JSON', async (name) => {
    const { printed, exitCode, report } = await run(name, '--json', '--base-url', simulator.baseUrls[name]);
    const { file, ...shown } = JSON.parse(printed);
    expect(shown).toEqual(report);
    expect(file).toMatch(new RegExp(`/provider-try-${name}-\\d{4}-\\d\\d-\\d\\d\\.json$`));
    expect(report).toMatchObject({ provider: name, green: true, versions: { node: process.version } });
    expect(exitCode).toBe(0);
    const tried = report?.steps.filter(({ status }) => status === 'passed').map(({ step }) => step);
    const everywhere = ['account', 'account_again', 'account_found', 'checkout', 'checkout_again', 'unpaid', 'list'];
    expect(tried).toEqual([
      'credentials',
      'unknown_reference',
      ...everywhere,
      ...(name === 'korapay' ? ['credit', 'credit_listed'] : ['account_closed']),
    ]);
    const skipped = report?.steps.filter(({ status }) => status === 'skipped');
    expect(skipped?.every(({ why }) => why !== null)).toBe(true);
  });

  test.each(NAMES)(
    'is green at %s if somebody pays, and then checks the look-up and the list row of the payment',
    async (name) => {
      const lines: string[] = [];
      const payOnce = async (milliseconds: number): Promise<void> => {
        const account = simulator.books
          .accounts()
          .findLast(({ provider, kind }) => provider === name && kind === 'payment');
        const { number: accountNumber = '', toPay: amount } = account ?? {};
        await simulator.pay({
          provider: name,
          accountNumber,
          amount: amount ?? 0,
          senderName: 'Musa Aliyu',
          senderBank: 'GTBank',
        });
        await wait(Math.min(milliseconds, 1));
      };
      const say = (line: string) => lines.push(line);
      const steps = await runSteps(name, simulator.baseUrls[name], { wait: payOnce, payWithin: 60_000, say });
      expect(steps.flatMap(({ calls }) => calls.flatMap(({ differences }) => differences))).toEqual([]);
      const paid = steps.filter(({ step }) => step === 'paid' || step === 'paid_listed');
      expect(paid).toMatchObject([{ status: 'passed' }, { status: 'passed' }]);
      const [lookedUp, listed] = paid.map(({ calls }) => calls.at(-1)?.fixtures.length);
      expect(lookedUp).toBe(1);
      // No source shows the envelope of Korapay's list, so only the row is compared.
      expect(listed).toBe(name === 'korapay' ? 1 : 2);
      expect(lines.find((line) => line.startsWith('Now pay'))).toMatch(
        /^Now pay ₦1000 to \d{10} at .*, within 1 minutes\.$/,
      );
    },
  );

  /** Interpretations of the sources, other than the default, that change answers of this run. */
  const READINGS: readonly (readonly [ProviderName, object])[] = [
    ['paystack', { unknownReference: 404 }],
    ['paystack', { pageSize: 'per_page' }],
    ['paystack', { countsPages: false }],
    ['monnify', { rows: 'paid' }],
    ['monnify', { references: 'small_letters' }],
    ['korapay', { listReferences: 'merchants_first' }],
    ['korapay', { listReferences: 'korapays_first' }],
    ['korapay', { listReferences: 'korapays' }],
    ['korapay', { lookUpReferences: 'merchants' }],
    ['korapay', { lookUpReferences: 'korapays_first' }],
  ];
  test.each(READINGS)('is green at %s with each interpretation of its sources: %j', async (name, reading) => {
    simulator.prefer(name, reading);
    const { printed, exitCode } = await runProxied(name);
    simulator.prefer(name, {});
    expect(printed).toContain('Green.');
    expect(exitCode).toBe(0);
  });

  test('names a shape that no source has for this answer, even if the adapter can read it', async () => {
    simulator.prefer('monnify', { bankCodes: 'number' });
    const { printed, exitCode, report } = await runProxied('monnify');
    simulator.prefer('monnify', {});
    const where = 'POST /api/v1/merchant/bank-transfer/init-payment';
    expect(printed).toContain(`checkout, ${where}: responseBody.bankCode is number, not string.`);
    expect(report?.steps.filter(({ status }) => status === 'differs').map(({ step }) => step)).toEqual([
      'checkout',
      'checkout_again',
    ]);
    expect(exitCode).toBe(1);
  });

  test('names each step that could not be done, and continues with steps that do not need it', async () => {
    simulator.fault('paystack', { kind: 'server_fault', path: /^\/charge/ });
    const { printed, exitCode, report } = await runProxied('paystack');
    simulator.fault('paystack', null);
    const statusOf = (name: string) => report?.steps.find(({ step }) => step === name);
    expect(statusOf('checkout')).toMatchObject({ status: 'failed', why: 'OutcomeUnknown: The provider answered 500.' });
    expect(statusOf('unpaid')).toMatchObject({
      status: 'skipped',
      why: 'This step needs the step "checkout", which was not done.',
    });
    expect(statusOf('account_closed')).toMatchObject({ status: 'passed' });
    expect(printed).toContain('paystack is not green: checkout failed.');
    expect(exitCode).toBe(1);
  });

  test('stops if the credentials are not accepted', async () => {
    process.env.KORAPAY_CREDENTIALS = JSON.stringify({ secretKey: 'sk_test_of_somebody_else' });
    const { exitCode, report } = await runProxied('korapay');
    expect(report?.steps[0]).toMatchObject({
      status: 'failed',
      why: 'ProviderError: The provider did not accept our credentials.',
    });
    expect(report?.steps.slice(1).every(({ status }) => status === 'skipped')).toBe(true);
    expect(exitCode).toBe(1);
  });
});

/** A change of one answer: the index of its call in the run, and the step that makes the call. */
interface Place {
  readonly index: number;
  readonly step: StepName;
  readonly change: Change;
}

const isOfForm = (form: string, path: string): boolean =>
  new RegExp(`^${form.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path.split('?')[0] ?? '');
const findFitting = (fixtures: readonly (Fixture | undefined)[], answer: unknown): Fixture | undefined =>
  fixtures.find((one) => one !== undefined && shapeDifferences(one, answer).length === 0);

/** Lists the changes that no fixture allows. If sources disagree, a changed answer may match another fixture; such a change is left out. */
const listMismatches = (fixtures: readonly (Fixture | undefined)[], answer: unknown): readonly Change[] => {
  const found = findFitting(fixtures, answer);
  return found
    ? listChanges(found, answer).filter((change) => !findFitting(fixtures, applyChange(answer, change)))
    : [];
};

/** Lists the changes of one answer that a comparison must name. The answer comes from a run without differences. */
const changesIn = (name: ProviderName, step: StepName, { method, path, json }: PassedCall): readonly Change[] => {
  const tried = SIMULATORS[name].trial;
  const below = path.slice(new URL(simulator.baseUrls[name]).pathname.length);
  const call = tried.calls.find((one) => one.method === method && isOfForm(one.path, below));
  const answers = (fixturesFor(call?.answer ?? {}, step) ?? []).map((one) => tried.fixtures.answers[one]);
  const ofEnvelope = listMismatches(answers, json);
  if (!call?.rows) return ofEnvelope;
  const { at, fixture } = call.rows;
  const found = at.split('.').reduce((value, field) => (value as Record<string, unknown>)[field], json) as unknown;
  const place = Array.isArray(found) ? `${at}[]` : at;
  const rows = (fixturesFor(fixture, step) ?? []).map((one) => tried.fixtures.rows[one]);
  const row = [found].flat().at(0);
  return [
    ...ofEnvelope.filter((change) => !change.path.startsWith(at)),
    ...listMismatches(rows, row).map((change) => ({ ...change, path: `${place}.${change.path}` })),
  ];
};

const makeSentence = ({ path, kind }: Change): RegExp => {
  const end = { add: 'is new', remove: 'is missing', change: 'is [a-z]+, not [a-z]+' }[kind];
  // If our reference changes, no row of the list belongs to our payment.
  return new RegExp(`^(${path.replaceAll(/[.[\]]/g, '\\$&')} ${end}|\\S+ has no row with our reference)\\.$`);
};

describe('a changed field of a provider’s answer', () => {
  /** Lists all possible changes, from a run without changes. */
  const listPlaces = async (name: ProviderName): Promise<readonly Place[]> => {
    await startAfresh();
    const ends: { readonly step: StepName; readonly calls: number }[] = [];
    onLine = (line) => {
      const step = STEP_NAMES.find((one) => line.startsWith(`${one}: `));
      if (step) ends.push({ step, calls: proxy.passed().length });
    };
    const { report } = await runProxied(name);
    onLine = () => {};
    expect(report?.green).toBe(true);
    return proxy.passed().flatMap((call, index) => {
      const { step } = ends.find(({ calls }) => index < calls) ?? { step: 'credentials' };
      return (
        changesIn(name, step, call)
          .map((change) => ({ index, step, change }))
          // If this reference changes, the step asks for the list again, and finds the row in the unchanged second answer.
          .filter(({ change }) => !(step === 'credit_listed' && change.path === 'data.payins[].reference'))
      );
    });
  };
  const expectNamed = async (name: ProviderName, { index, step, change }: Place): Promise<void> => {
    await startAfresh();
    proxy.change(({ json }, at) => (at === index ? applyChange(json, change) : json));
    const { report, exitCode } = await runProxied(name);
    expect(exitCode).toBe(1);
    const found = report?.steps.find((one) => one.step === step)?.calls.flatMap(({ differences }) => differences);
    expect({ step, found }).toEqual({
      step,
      found: expect.arrayContaining([expect.stringMatching(makeSentence(change))]),
    });
  };

  longerTest.each(isLongRun ? NAMES : NAMES.slice(0, 1))(
    'appears with its path in the step that got the answer: %s',
    async (name) => {
      const places = await listPlaces(name);
      expect(new Set(places.map(({ step }) => step)).size).toBeGreaterThan(4);
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...places), (place) => expectNamed(name, place)),
        setRuns(60),
      );
    },
  );

  longTest('appears as a missing row if it is the reference that makes the row ours', async () => {
    await startAfresh();
    proxy.change(({ json, path }) =>
      path.includes('/pay-ins') ? applyChange(json, { path: 'data.payins[].reference', kind: 'change' }) : json,
    );
    let waited = 0;
    const wait = async (milliseconds: number): Promise<void> => {
      waited += milliseconds;
    };
    const steps = await runSteps('korapay', proxyUrl('korapay'), { wait, now: () => Date.now() + waited });
    const step = steps.find((one) => one.step === 'credit_listed');
    expect(step).toMatchObject({ status: 'failed' });
    expect(step?.calls.flatMap(({ differences }) => differences)).toEqual([
      'data.payins has no row with our reference.',
    ]);
    expect(waited).toBeGreaterThan(0);
  });

  test('appears if a status has a value that no source has', async () => {
    proxy.change(({ json, path, method }) => {
      if (method !== 'POST' || !path.endsWith('/charge')) return json;
      const { data, ...rest } = json as { data: object };
      return { ...rest, data: { ...data, status: 'a_status_of_tomorrow' } };
    });
    const { printed, report } = await runProxied('paystack');
    expect(printed).toContain('checkout, POST /charge: data.status has an unknown value.');
    expect(JSON.stringify(report)).not.toContain('a_status_of_tomorrow');
  });
});

describe('the report of a provider try', () => {
  const PLANTED = { ...newPerson(), bvn: '22198765432', nin: '71234509876' };
  const words = [...Object.values(PLANTED), 'Oluwaseun', 'Zwingli', 'Okpara'];

  test.each(NAMES)('has no key, identity number, name or address that was sent or answered: %s', async (name) => {
    process.env.TRY_CUSTOMER = JSON.stringify(PLANTED);
    // The provider repeats what it was sent, in values and even as names of fields.
    proxy.change(({ json }) => ({
      ...(json as object),
      repeated: words,
      [PLANTED.bvn]: words,
      [PLANTED.email]: 'x',
    }));
    const { printed, exitCode, report } = await runProxied(name);
    expect(exitCode).toBe(1);
    expect(printed).toContain('(not a field name) is new.');
    const numbers = simulator.books.accounts().filter(({ provider }) => provider === name);
    const secrets = Object.values(simulator.credentials[name]);
    for (const text of [...words, ...secrets, ...numbers.flatMap(({ number, reference }) => [number, reference])]) {
      expect(JSON.stringify(report).toLowerCase()).not.toContain(text.toLowerCase());
      expect(printed.toLowerCase()).not.toContain(text.toLowerCase());
    }
  });

  test('is not written if a field has the name of the customer', async () => {
    process.env.TRY_CUSTOMER = JSON.stringify(PLANTED);
    proxy.change(({ json }) => ({ ...(json as object), Zwingli: 1 }));
    const { printed, exitCode, report } = await runProxied('paystack');
    expect(exitCode).toBe(1);
    expect(printed).toContain('The report was not written');
    expect(printed).not.toContain('Zwingli');
    expect(report).toBeUndefined();
  });

  test('can be read only by its owner, and replaces the report of the same day', async () => {
    await runProxied('paystack');
    const { report } = await runProxied('paystack');
    expect(readdirSync(folder)).toHaveLength(1);
    expect(statSync(join(folder, readdirSync(folder)[0] ?? '')).mode & 0o777).toBe(0o600);
    expect(report?.steps).toHaveLength(STEP_NAMES.length);
  });
});

describe('access that may move real money', () => {
  const errors: readonly (readonly [string, ProviderName, object, object, string])[] = [
    [
      'a live key of Paystack',
      'paystack',
      { secretKey: 'sk_live_4eC39HqLyjWDarjtT1zdp7dc' },
      {},
      'must begin with sk_test_',
    ],
    [
      'a live key of Korapay',
      'korapay',
      { secretKey: 'sk_live_4eC39HqLyjWDarjtT1zdp7dc' },
      {},
      'must begin with sk_test_',
    ],
    [
      'a previous key that is live',
      'korapay',
      { secretKey: 'sk_test_1', previousSecretKey: 'sk_live_4eC39HqLyjWDarjtT1zdp7dc' },
      {},
      'must begin with sk_test_',
    ],
    ['a live key of Monnify', 'monnify', { apiKey: 'MK_PROD_4QTJ5', secretKey: 'x' }, {}, 'must begin with MK_TEST_'],
    [
      'the live address of Monnify',
      'monnify',
      { apiKey: 'MK_TEST_4QTJ5', secretKey: 'x' },
      { baseUrl: 'https://api.monnify.com', contractCode: '1' },
      'must be https://sandbox.monnify.com',
    ],
    [
      'an address without TLS',
      'paystack',
      { secretKey: 'sk_test_1' },
      { baseUrl: 'http://api.paystack.co', customerEmailDomain: 'example.com' },
      'only over https',
    ],
  ];
  test.each(errors)('cannot be used, and nothing is sent: %s', async (_, name, credentials, settings, sentence) => {
    process.env[credentialsVariable(name)] = JSON.stringify(credentials);
    const isAddress = Object.hasOwn(settings, 'baseUrl');
    if (isAddress) process.env.PROVIDERS = JSON.stringify({ [name]: settings });
    const { printed, exitCode, report } = await (isAddress ? run(name) : runProxied(name));
    expect(printed).toContain(sentence);
    expect(printed).not.toContain('4eC39HqLyjWDarjtT1zdp7dc');
    expect(exitCode).toBe(1);
    expect(report).toBeUndefined();
    expect(proxy.passed()).toEqual([]);
  });
});

describe('the error of a provider try', () => {
  const expectError = async (name: string, sentence: string): Promise<void> => {
    const { printed, exitCode } = await run(name, '--base-url', simulator.baseUrls.paystack);
    expect(printed).toContain(sentence);
    expect(exitCode).toBeGreaterThan(0);
  };

  test('names missing credentials', async () => {
    delete process.env.PAYSTACK_CREDENTIALS;
    await expectError('paystack', 'The variable PAYSTACK_CREDENTIALS has no value.');
  });

  test('names a missing setting', async () => {
    process.env.PROVIDERS = '';
    await expectError('monnify', 'In the settings of monnify, contractCode is missing or wrong.');
  });

  test('names an unknown field of the customer without its value', async () => {
    process.env.TRY_CUSTOMER = JSON.stringify({ bvm: '22198765432', email: 'nobody' });
    const { printed } = await run('korapay', '--base-url', simulator.baseUrls.korapay);
    expect(printed).toContain('TRY_CUSTOMER has a field that is wrong or unknown: email, bvm.');
    expect(printed).not.toContain('22198765432');
  });

  test('says how to give the provider and the waiting time', async () => {
    const { printed, exitCode } = await run('squad');
    expect(printed).toContain('Give one of: paystack, monnify, korapay.');
    expect(exitCode).toBe(2);
    expect((await run('paystack', '--pay', 'later')).printed).toContain('Give a number of minutes from 1 to 99.');
  });
});

test('a provider try without credentials in the environment uses the simulator of the running local stack', async () => {
  for (const name of NAMES) delete process.env[credentialsVariable(name)];
  const live = {
    settings: providerSettings.parse({
      monnify: { baseUrl: simulator.baseUrls.monnify, contractCode: SIMULATORS.monnify.settings.contractCode },
    }),
    credentials: { monnify: JSON.stringify(simulator.credentials.monnify) },
  };
  const reports = mkdtempSync(join(tmpdir(), 'provider-try-'));
  const address = 'http://127.0.0.1:1';
  writeStackFile(folder, {
    pid: process.pid,
    baseUrl: address,
    dynamodbEndpoint: address,
    sqsEndpoint: address,
    accessKeyId: 'local',
    queueUrls: { first: address, retry: address, slow: address, test: address },
    tableName: 'none',
    dueShards: 1,
    hashKey: 'none',
    live,
  });
  const { printed, exitCode } = await runCommand(noStage, 'provider', 'try', 'monnify', '--out', reports);
  rmSync(reports, { recursive: true });
  expect(printed).toContain('Green.');
  expect(exitCode).toBe(0);
});

describe('a provider try with --stage', () => {
  let secretValue: string | undefined;
  beforeAll(() => serveSecrets(() => secretValue));
  const secretId = '/payments/dev/providers/korapay';
  const at = (providerSettings: ProviderSettings) =>
    runCommand(
      () => ({ providerSettings }) as unknown as Stage,
      '--stage',
      'dev',
      'provider',
      'try',
      'korapay',
      '--out',
      folder,
    );

  test('uses the settings and the secret of the stage', async () => {
    secretValue = JSON.stringify(simulator.credentials.korapay);
    process.env.KORAPAY_CREDENTIALS = '{}';
    const { exitCode } = await at(
      providerSettings.parse({ korapay: { baseUrl: simulator.baseUrls.korapay, secretId } }),
    );
    expect(exitCode).toBe(0);
    expect(readReport()?.green).toBe(true);
  });

  test('refuses a provider that the stage has not enabled, and a secret without a value', async () => {
    secretValue = undefined;
    expect((await at({})).printed).toContain('The stage has not enabled korapay.');
    const settings = providerSettings.parse({ korapay: { baseUrl: simulator.baseUrls.korapay, secretId } });
    expect((await at(settings)).printed).toContain(`The secret ${secretId} has no value.`);
  });
});

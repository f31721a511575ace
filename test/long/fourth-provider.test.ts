import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Receiver, startReceiver } from '#test/support/worlds/receiver.ts';

const run = promisify(execFile);
const UP_WITHIN_MS = 60_000;
const SECRET_WORD = 'word_7Qm2';
const REGISTRY = 'shared/providers/registry.ts';
const DESCRIPTIONS = 'shared/providers/descriptions.ts';
const SIMULATORS = 'shared/providers/simulators.ts';

/* Adds a provider in a copy of the sources, as a developer would: its folder, its lines in the three tables, and its name. */

let root: string;
let provider: Receiver;
let errorsWithNameOnly: string[];
let errorsWithLines: string[];

const copyPath = (path: string): string => join(root, path);
/** Inserts text after another text in a file of the copy. */
const insertAfter = async (path: string, before: string, text: string): Promise<void> => {
  const source = await readFile(copyPath(path), 'utf8');
  expect(source.split(before)).toHaveLength(2);
  await writeFile(copyPath(path), source.replace(before, before + text));
};
/** Type-checks the copy, and lists the files with errors. */
const listTypeErrors = async (): Promise<string[]> => {
  const check = run(resolve('node_modules/.bin/tsc'), ['--noEmit'], { cwd: root });
  const { stdout } = await check.catch((error: { stdout: string }) => error);
  return [...stdout.matchAll(/^(\S+?)\(\d+,\d+\): error/gm)].map(([, path = '']) => path);
};
/** Runs a script in the copy and returns what it prints, parsed as JSON. */
const runScript = async (script: string): Promise<unknown> => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: root });
  return JSON.parse(stdout);
};

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'payments-fourth-'));
  for (const path of ['shared', 'functions', 'infra', 'package.json', 'tsconfig.json']) {
    await cp(path, copyPath(path), { recursive: true });
  }
  await symlink(resolve('node_modules'), copyPath('node_modules'));
  await cp('test/support/worlds/fourth-provider', copyPath('shared/providers/examplepay'), { recursive: true });
  await insertAfter('shared/providers/domain/names.ts', "'korapay'", ", 'examplepay'");
  errorsWithNameOnly = await listTypeErrors();
  await insertAfter(
    REGISTRY,
    '  korapay: register(DESCRIPTIONS.korapay, korapay),\n',
    '  examplepay: register(DESCRIPTIONS.examplepay, examplepay),\n',
  );
  await insertAfter(DESCRIPTIONS, '  korapay: korapayDescription,\n', '  examplepay: examplepayDescription,\n');
  await insertAfter(
    DESCRIPTIONS,
    "import { paystackDescription } from './paystack/description.ts';\n",
    "import { examplepayDescription } from './examplepay/description.ts';\n",
  );
  await insertAfter(
    REGISTRY,
    "import { paystack } from './paystack/paystack.ts';\n",
    "import { examplepay } from './examplepay/examplepay.ts';\n",
  );
  await insertAfter(SIMULATORS, '  korapay: korapaySimulator,\n', '  examplepay: examplepaySimulator,\n');
  await insertAfter(
    SIMULATORS,
    "import { paystackSimulator } from './paystack/simulator/simulator.ts';\n",
    "import { examplepaySimulator } from './examplepay/simulator/simulator.ts';\n",
  );
  errorsWithLines = await listTypeErrors();
  provider = await startReceiver();
  provider.answer((response) => response.end(JSON.stringify({ number: '0123456789', bank: 'Examplepay Bank' })));
});
afterAll(async () => {
  await provider.stop();
  await rm(root, { recursive: true });
});

test('the type check points at the three tables of providers if only the name of a new provider is added', () => {
  expect(errorsWithNameOnly).toEqual(expect.arrayContaining([REGISTRY, DESCRIPTIONS, SIMULATORS]));
});

test('the type check passes if a new provider also has its lines in the three tables', () => {
  expect(errorsWithLines).toEqual([]);
});

describe('a copy of the service with four providers', () => {
  let baseUrl: string;
  let key: string;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const { PATH, HOME } = process.env;
    const settings = { examplepay: { baseUrl: new URL(provider.url).origin, beneficiary: '4920299492' } };
    const child = spawn(process.execPath, ['infra/local/main.ts'], {
      cwd: root,
      env: {
        PATH,
        HOME,
        PORT: '0',
        DATA_DIR: copyPath('.local'),
        PROVIDERS: JSON.stringify(settings),
        EXAMPLEPAY_CREDENTIALS: JSON.stringify({ secretWord: SECRET_WORD }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    stop = async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    };
    let output = '';
    await new Promise<void>((up, fail) => {
      const late = setTimeout(() => fail(new Error(`The copy did not come up:\n${output}`)), UP_WITHIN_MS);
      const read = (chunk: Buffer): void => {
        output += chunk.toString();
        if (!/sk_live_\w+\s+Public key/.test(output)) return;
        clearTimeout(late);
        up();
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
    });
    baseUrl = /Ready on (http:\/\/\S+)/.exec(output)?.[1] ?? '';
    key = /sk_live_\w+/.exec(output)?.[0] ?? '';
  });
  afterAll(() => stop());

  const create = async (body: object) => {
    const answer = await fetch(`${baseUrl}/api/v1/virtual-accounts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ customer_name: 'Ngozi Adeyemi', provider: 'examplepay', ...body }),
    });
    return { status: answer.status, json: await answer.json() };
  };

  test('opens a live account at the new provider, with its settings and credentials', async () => {
    expect(await create({ customer_phone: '+2348031234567', bvn: '22212345678' })).toMatchObject({
      status: 201,
      json: {
        accounts: [{ provider: 'examplepay', account_number: '0123456789', bank_name: 'Examplepay Bank' }],
        errors: [],
      },
    });
    const [request] = provider.received;
    expect(request?.headers.authorization).toBe(`Bearer ${SECRET_WORD}`);
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ name: 'Ngozi Adeyemi', beneficiary: '4920299492' });
  });

  test('requires what the new provider needs of a customer', async () => {
    expect(await create({})).toMatchObject({
      status: 422,
      json: {
        errors: [
          { field: 'customer_phone', message: 'customer_phone is required by examplepay.' },
          { field: 'bvn', message: 'bvn or nin is required by examplepay.' },
        ],
      },
    });
  });

  test('names the new provider in the API document', async () => {
    const document = await (await fetch(`${baseUrl}/api/v1/openapi.json`)).text();
    expect(document).toContain('| `examplepay` | | `customer_phone` and either `bvn` or `nin` |');
    expect(document).toContain('Paystack, Monnify, Korapay and Examplepay report payments here.');
    expect(document).toContain('"enum":["paystack","monnify","korapay","examplepay"]');
  });

  test('offers the new provider in the form of the dashboard', async () => {
    const { html } = (await runScript(`
      import { dashboardPage } from '#infra/pages/dashboard-page.ts';
      console.log(JSON.stringify(dashboardPage()));
    `)) as { html: string };
    expect(html).toMatch(/\["paystack","monnify","korapay","examplepay"\]/);
  });

  test('has a simulator of the new provider', async () => {
    const urls = await runScript(`
      import { startSimulator } from '#infra/local/simulator/simulator.ts';
      const { baseUrls, stop } = await startSimulator();
      console.log(JSON.stringify(baseUrls));
      await stop();
    `);
    expect(urls).toMatchObject({ examplepay: expect.stringMatching(/\/examplepay$/) });
  });

  test('has a secret for the new provider, whose description rejects an unsafe setting in prod', async () => {
    const descriptions = await runScript(`
      import { App } from 'aws-cdk-lib';
      import { readStageSettings } from '#infra/config.ts';
      import { DataStack } from '#infra/stacks/data-stack.ts';
      const app = new App();
      const { stackName } = new DataStack(app, readStageSettings('prod'));
      const { Resources } = app.synth().getStackByName(stackName).template;
      console.log(JSON.stringify(Object.values(Resources).map(({ Properties }) => Properties.Description)));
    `);
    expect(descriptions).toContain('Credentials at examplepay: a JSON object with secretWord.');
    const message = await runScript(`
      import { readStageSettings } from '#infra/config.ts';
      const examplepay = { beneficiary: '4920299492', playsBank: true };
      const { stage, ...rest } = readStageSettings('prod');
      const prod = { ...rest, providers: { examplepay }, defaultProvider: 'examplepay' };
      try { readStageSettings('prod', { prod }); } catch ({ message }) { console.log(JSON.stringify(message)); }
    `);
    expect(message).toBe(
      'Correct stage "prod" in infra/config.ts: providers.examplepay.playsBank must be false in prod, since it moves no money.',
    );
  });
});

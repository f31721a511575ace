import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { longTest } from '#test/support/jest/long.ts';
import { eventually, type Merchant, openBusiness } from '#test/support/worlds/merchant.ts';
import { hasPython, pythonTest, pythonTools } from '#test/support/worlds/python.ts';
import { type Stack, startStack } from '#test/support/worlds/stack.ts';

/*
 * Clients that tools of others generate from the published document, each making a payment on a running service. The tools have lock
 * files of their own, since nothing else needs them.
 */

const run = promisify(execFile);
const TOOLS = resolve('test/tools/clients');
const BIN = join(TOOLS, 'node_modules/.bin');
const LIMIT_MS = 300_000;
const ORDER = { amount: 8_500.75, payer_email: 'tunde.bakare@example.com' };
interface Pair {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}
interface Request {
  readonly method: string;
  readonly auth?: { readonly type: string; readonly bearer?: readonly Pair[] };
  readonly header: readonly Pair[];
  readonly body?: { readonly raw?: string };
  readonly url: {
    readonly host: readonly string[];
    readonly path: readonly string[];
    readonly query: readonly Pair[];
    readonly variable: readonly Pair[];
  };
}
interface Item {
  readonly name: string;
  readonly item?: readonly Item[];
  readonly request?: Request;
}

const requestsOf = (items: readonly Item[]): readonly Item[] =>
  items.flatMap((one) => (one.item ? requestsOf(one.item) : [one]));

describe('a client of', () => {
  let stack: Stack;
  let folder: string;
  let document: string;
  let env: NodeJS.ProcessEnv;
  let merchant: Merchant;
  let bin: string;
  beforeAll(async () => {
    if (process.env.LONG_TESTS === undefined) return;
    stack = await startStack();
    merchant = await openBusiness(stack, 'Ada Stores Limited');
    env = { ...process.env, BASE_URL: stack.baseUrl, KEY: merchant.secretTest.key };
    folder = await mkdtemp(join(tmpdir(), 'payments-clients-'));
    document = join(folder, 'openapi.json');
    await writeFile(document, await (await fetch(`${stack.baseUrl}/api/v1/openapi.json`)).text());
    await run('npm', ['ci', '--prefix', TOOLS]);
    await symlink(join(TOOLS, 'node_modules'), join(folder, 'node_modules'));
    if (hasPython) bin = await pythonTools(folder, TOOLS);
  }, LIMIT_MS);
  afterAll(async () => {
    await stack?.stop();
    if (folder) await rm(folder, { recursive: true });
  });

  longTest(
    'openapi-typescript compiles, narrows an event by its type, and is paid',
    async () => {
      await run(join(BIN, 'openapi-typescript'), [document, '--output', join(folder, 'api.d.ts')]);
      await copyFile(join(TOOLS, 'pay.ts'), join(folder, 'pay.ts'));
      await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
      const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
      const types = ['--typeRoots', resolve('node_modules/@types')];
      await run(join(BIN, 'tsc'), [...options, ...types, join(folder, 'pay.ts')], { cwd: folder });
      const { stdout } = await run(process.execPath, [join(folder, 'pay.js')], { env });
      expect(stdout).toBe('paid 8500.75 expired 1\n');
    },
    LIMIT_MS,
  );

  pythonTest(
    'openapi-python-client is generated whole, compiles, and is paid',
    async () => {
      const python = join(bin, 'python');
      const client = join(folder, 'client');
      const made = await run(
        join(bin, 'openapi-python-client'),
        ['generate', '--path', document, '--output-path', client, '--meta', 'none', '--overwrite'],
        { env: { ...env, PATH: `${bin}:${env.PATH}` } },
      );
      // It knows no YAML; it leaves nothing else out.
      const omitted = `${made.stdout}${made.stderr}`.match(/WARNING parsing .+|Unable to .+/g) ?? [];
      expect(omitted).toEqual(['WARNING parsing GET /api/v1/openapi.yaml within service.']);
      await symlink(client, join(folder, 'payments_api_client'));
      await run(python, ['-m', 'compileall', '-q', client]);
      await copyFile(join(TOOLS, 'pay.py'), join(folder, 'pay.py'));
      const { stdout } = await run(python, [join(folder, 'pay.py')], { env });
      expect(stdout).toBe('paid 8500.75\n');
    },
    LIMIT_MS,
  );

  pythonTest(
    'datamodel-codegen has names for people, and reads answers and a webhook',
    async () => {
      const models = join(folder, 'models.py');
      const output = ['--output', models, '--output-model-type', 'pydantic_v2.BaseModel', '--formatters', 'builtin'];
      await run(join(bin, 'datamodel-codegen'), ['--input', document, '--input-file-type', 'openapi', ...output]);
      const classes = [...(await readFile(models, 'utf8')).matchAll(/^class (\w+)/gm)].map(([, name]) => name);
      expect(classes).toEqual(expect.arrayContaining(['CheckoutStatus', 'ErrorCode', 'Event', 'VirtualAccount']));
      // What had no name of its own would be numbered.
      expect(classes.filter((name) => /\d$/.test(name ?? ''))).toEqual([]);
      const receiver = await merchant.listen('checkout.paid');
      try {
        const { reference } = (await merchant.api('POST', '/checkout/initialize', { body: ORDER })).json.data;
        await merchant.api('POST', '/checkout/sandbox/simulate', { body: { reference } });
        const webhook = await eventually('the webhook', () => receiver.received[0]);
        await copyFile(join(TOOLS, 'read.py'), join(folder, 'read.py'));
        const read = await run(join(bin, 'python'), [join(folder, 'read.py')], {
          env: { ...env, WEBHOOK: webhook.body },
        });
        expect(read.stdout).toBe('paid 8500.75 paid\n');
      } finally {
        await receiver.stop();
      }
    },
    LIMIT_MS,
  );

  longTest(
    'openapi-to-postmanv2 has example bodies, and its requests make a payment once its variables are filled',
    async () => {
      const collection = join(folder, 'postman.json');
      const options = ['-O', 'parametersResolution=Example,enableOptionalParameters=false'];
      await run(join(BIN, 'openapi2postmanv2'), ['-s', document, '-o', collection, ...options]);
      const { item } = JSON.parse(await readFile(collection, 'utf8'));
      const requests = requestsOf(item);
      const bodies = requests.flatMap(({ request }) => request?.body?.raw ?? []);
      expect(bodies.length).toBeGreaterThan(8);
      expect(bodies.filter((body) => /"<\w+>"/.test(body))).toEqual([]);

      /** Sends a request as Postman does: what is written in it, with the variables that its user fills, and no header of ours. */
      const send = async (name: string, changes: { body?: object; path?: Readonly<Record<string, string>> } = {}) => {
        const request = requests.find((one) => one.name === name)?.request;
        if (!request) throw new Error(`The collection has no request "${name}".`);
        const variables: Readonly<Record<string, string | undefined>> = { baseUrl: env.BASE_URL, bearerToken: env.KEY };
        const fill = (text: string): string => text.replace(/\{\{(\w+)\}\}/g, (_, key: string) => variables[key] ?? '');
        const path = request.url.path.map((part) => (part.startsWith(':') ? changes.path?.[part.slice(1)] : part));
        const [token] = request.auth?.type === 'bearer' ? (request.auth.bearer ?? []) : [];
        const headers = new Headers(request.header.filter((one) => !one.disabled).map((one) => [one.key, one.value]));
        if (token) headers.set('authorization', `Bearer ${fill(token.value)}`);
        const query = new URLSearchParams();
        for (const one of request.url.query) if (!one.disabled) query.append(one.key, one.value);
        const url = `${fill(request.url.host.join('.'))}/${path.join('/')}?${query}`;
        const raw = request.body?.raw;
        const body = raw === undefined ? {} : { body: JSON.stringify({ ...JSON.parse(raw), ...changes.body }) };
        const answer = await fetch(url, { method: request.method, headers, ...body });
        return (await answer.json()) as { data: { reference: string; status: string } };
      };
      const { reference } = (await send('Initialize a checkout')).data;
      expect((await send('Simulate a checkout’s payment', { body: { reference } })).data.status).toBe('paid');
      expect((await send('Verify a checkout', { path: { reference } })).data.status).toBe('paid');
      expect((await send('List checkouts')).data).toEqual(
        expect.arrayContaining([expect.objectContaining({ reference, status: 'paid' })]),
      );
    },
    LIMIT_MS,
  );
});

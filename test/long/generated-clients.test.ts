import { execFile, spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { longTest } from '#test/support/jest/long.ts';
import { openBusiness } from '#test/support/worlds/merchant.ts';
import { type Stack, startStack } from '#test/support/worlds/stack.ts';

/*
 * Clients that tools of others generate from the published document, each making a payment on a running service. The tools have lock
 * files of their own, since nothing else needs them.
 */

const run = promisify(execFile);
const TOOLS = resolve('test/tools/clients');
const BIN = join(TOOLS, 'node_modules/.bin');
const LIMIT_MS = 300_000;
/** Debian has Python without what makes environments, unless it is asked for. */
const hasPython = spawnSync('python3', ['-c', 'import venv, ensurepip']).status === 0;

interface Item {
  readonly name: string;
  readonly item?: readonly Item[];
  readonly request?: { readonly body?: { readonly raw?: string }; readonly url: { readonly path: readonly string[] } };
}

const requestsOf = (items: readonly Item[]): readonly Item[] =>
  items.flatMap((one) => (one.item ? requestsOf(one.item) : [one]));

describe('a client of', () => {
  let stack: Stack;
  let folder: string;
  let document: string;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    if (process.env.LONG_TESTS === undefined) return;
    stack = await startStack();
    const merchant = await openBusiness(stack, 'Ada Stores Limited');
    env = { ...process.env, BASE_URL: stack.baseUrl, KEY: merchant.secretTest.key };
    folder = await mkdtemp(join(tmpdir(), 'payments-clients-'));
    document = join(folder, 'openapi.json');
    await writeFile(document, await (await fetch(`${stack.baseUrl}/api/v1/openapi.json`)).text());
    await run('npm', ['ci', '--prefix', TOOLS]);
    await symlink(join(TOOLS, 'node_modules'), join(folder, 'node_modules'));
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

  (hasPython ? longTest : test.skip)(
    'openapi-python-client is generated whole, compiles, and is paid',
    async () => {
      const python = join(folder, 'venv/bin/python');
      await run('python3', ['-m', 'venv', join(folder, 'venv')]);
      await run(python, ['-m', 'pip', 'install', '--quiet', '--requirement', join(TOOLS, 'requirements.txt')]);
      const client = join(folder, 'client');
      const made = await run(
        join(folder, 'venv/bin/openapi-python-client'),
        ['generate', '--path', document, '--output-path', client, '--meta', 'none', '--overwrite'],
        { env: { ...env, PATH: `${join(folder, 'venv/bin')}:${env.PATH}` } },
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

  longTest(
    'openapi-to-postmanv2 has example bodies, and its requests make a payment',
    async () => {
      const collection = join(folder, 'postman.json');
      await run(join(BIN, 'openapi2postmanv2'), [
        '-s',
        document,
        '-o',
        collection,
        '-O',
        'parametersResolution=Example',
      ]);
      const requests = requestsOf(JSON.parse(await readFile(collection, 'utf8')).item);
      const bodies = requests.flatMap(({ request }) => request?.body?.raw ?? []);
      expect(bodies.length).toBeGreaterThan(8);
      expect(bodies.filter((body) => /"<\w+>"/.test(body))).toEqual([]);
      const send = async (name: string, changes: object) => {
        const found = requests.find((one) => one.name === name)?.request;
        const body = JSON.stringify({ ...JSON.parse(found?.body?.raw ?? ''), ...changes });
        const headers = { authorization: `Bearer ${env.KEY}`, 'content-type': 'application/json' };
        const answer = await fetch(`${stack.baseUrl}/${found?.url.path.join('/')}`, { method: 'POST', headers, body });
        return (await answer.json()) as { data: { reference: string; status: string } };
      };
      const { reference } = (await send('Initialize a checkout', {})).data;
      expect((await send('Simulate a checkout’s payment', { reference })).data.status).toBe('paid');
    },
    LIMIT_MS,
  );
});

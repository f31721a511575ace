import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { transform } from 'esbuild';
import { buildClient } from '#infra/client/build.ts';
import { longTest } from '#test/support/jest/long.ts';
import { type Merchant, openBusiness } from '#test/support/worlds/merchant.ts';
import { type Stack, startStack } from '#test/support/worlds/stack.ts';

/* The client as a package: what an empty project gets of it. */

const run = promisify(execFile);
const LIMIT_MS = 300_000;
/** What a page would load of it. */
const MAX_GZIP = 6 * 1_024;

const PROGRAM = `
import { type Event, isPaymentsError, Payments } from 'payments-client';

const api = new Payments(process.env.KEY, { baseUrl: String(process.env.BASE_URL) });
const { reference } = await api.checkouts.initialize({ amount: 8500.75, payer_email: 'tunde.bakare@example.com' });
await api.checkouts.simulate({ reference });
const { paid, paid_amount } = await api.checkouts.verify(reference);
const describe = (event: Event): string =>
  event.type === 'checkout.paid' ? event.data.reference : event.type === 'endpoint.disabled' ? event.data.url : event.id;
let events = 0;
for await (const event of api.events.list()) if (describe(event) === reference) events += 1;
const unknown = await api.checkouts.verify('PAY-00000000000000000000').catch((error) => error);
console.log(JSON.stringify({ paid, paid_amount, events, unknown: isPaymentsError(unknown, 'checkout_not_found') }));
`;

describe('the client’s package', () => {
  let folder: string;
  let stack: Stack;
  let merchant: Merchant;
  beforeAll(async () => {
    if (process.env.LONG_TESTS === undefined) return;
    folder = await mkdtemp(join(tmpdir(), 'payments-package-'));
    buildClient(join(folder, 'package'));
    stack = await startStack();
    merchant = await openBusiness(stack, 'Ada Stores Limited');
  }, LIMIT_MS);
  afterAll(async () => {
    await stack?.stop();
    if (folder) await rm(folder, { recursive: true });
  });

  longTest(
    'installs into an empty project, compiles with its readme’s samples, and makes a payment',
    async () => {
      const packed = await run('npm', ['pack', '--silent', '--pack-destination', folder], {
        cwd: join(folder, 'package'),
      });
      await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }');
      await run('npm', ['install', '--no-audit', '--no-fund', `./${packed.stdout.trim()}`], { cwd: folder });
      const readme = await readFile(join(folder, 'node_modules', 'payments-client', 'README.md'), 'utf8');
      const samples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, sample = '']) => sample);
      const files = { 'pay.ts': PROGRAM, ...Object.fromEntries(samples.map((text, i) => [`sample-${i}.ts`, text])) };
      expect(Object.keys(files)).toHaveLength(3);
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
      const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
      const types = ['--typeRoots', resolve('node_modules/@types')];
      await run(resolve('node_modules/.bin/tsc'), [...options, ...types, ...Object.keys(files)], { cwd: folder }).catch(
        ({ stdout }) => {
          throw new Error(stdout);
        },
      );
      const env = { ...process.env, BASE_URL: stack.baseUrl, KEY: merchant.secretTest.key };
      const { stdout } = await run(process.execPath, [join(folder, 'pay.js')], { env });
      expect(JSON.parse(stdout)).toEqual({ paid: true, paid_amount: 8_500.75, events: 1, unknown: true });
    },
    LIMIT_MS,
  );

  longTest('has no dependencies, and is small in a page', async () => {
    const manifest = JSON.parse(await readFile(join(folder, 'package/package.json'), 'utf8'));
    expect(manifest.dependencies).toBeUndefined();
    const code = await readFile(join(folder, 'package/index.js'), 'utf8');
    expect(code).not.toMatch(/from "|require\(/);
    const { code: minified } = await transform(code, { minify: true });
    expect(gzipSync(minified).length).toBeLessThanOrEqual(MAX_GZIP);
  });
});

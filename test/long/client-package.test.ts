import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { transform } from 'esbuild';
import { buildClient } from '#infra/client/build.ts';
import { findQuietPort } from '#test/support/emulators/quiet-port.ts';
import { longTest } from '#test/support/jest/long.ts';
import { eventually, type Merchant, openBusiness } from '#test/support/worlds/merchant.ts';
import { type Stack, startStack } from '#test/support/worlds/stack.ts';

/* The client as a package, installed in an empty project. */

const run = promisify(execFile);
const LIMIT_MS = 300_000;
/** The most bytes that the client may add to a web page, minified and compressed with gzip. */
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

  /** Runs the shop of the readme, and takes an order from the shop's page to the shipment. */
  const playShop = async (file: string): Promise<void> => {
    const [buyer, port] = [await openBusiness(stack, 'Ada Stores Limited'), await findQuietPort()];
    const url = `http://127.0.0.1:${port}`;
    const { json } = await buyer.api('POST', '/webhook-endpoints', { body: { url: `${url}/webhooks` } });
    const { id, secret } = json.data;
    const settings = { PAYMENTS_URL: stack.baseUrl, PAYMENTS_KEY: buyer.secretTest.key, WEBHOOK_SECRET: secret };
    const env = { ...process.env, ...settings, PORT: String(port) };
    const shop = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      let printed = '';
      shop.stdout.on('data', (chunk) => {
        printed += chunk;
      });
      await eventually('the shop listens', () => printed.includes('listening'));
      const click = async (): Promise<string> => {
        const { status, headers } = await fetch(url, { redirect: 'manual' });
        return status === 303 ? (/PAY-[0-9A-Z]{20}/.exec(headers.get('location') ?? '')?.[0] ?? '') : String(status);
      };
      // Another checkout already has the order's number, so the first click fails for good. The next click starts a new checkout.
      const body = { amount: 20, payer_email: 'chidi.eze@example.com', merchant_reference: 'ORDER-2026-00417' };
      const other = (await buyer.api('POST', '/checkout/initialize', { body })).json.data;
      expect(await click()).toBe('500');
      await buyer.api('POST', `/checkouts/${other.reference}/expire`);
      const expired = await click();
      expect(await click()).toBe(expired);
      await buyer.api('POST', `/checkouts/${expired}/expire`);
      const reference = await click();
      expect(new Set([expired, reference]).size).toBe(2);
      await buyer.api('POST', `/webhook-endpoints/${id}/test`, { body: { type: 'checkout.paid' } });
      await buyer.api('POST', '/checkout/sandbox/simulate', { body: { reference: other.reference } });
      await buyer.api('POST', '/checkout/sandbox/simulate', { body: { reference, amount: 8_600.75 } });
      await eventually('the order is shipped', () => printed.includes('ship ORDER'));
      await eventually('three checkout.paid events are delivered', async () => {
        const { data } = (await buyer.api('GET', '/events?type=checkout.paid&delivery_status=succeeded')).json;
        return data.length === 3;
      });
      expect(
        printed
          .split('\n')
          .filter((line) => !['', 'listening'].includes(line))
          .sort(),
      ).toEqual([
        `look into ${other.reference}: 20 naira, and not the checkout of ORDER-2026-00417`,
        'ship ORDER-2026-00417, and pay back 100 naira',
      ]);
    } finally {
      shop.kill();
    }
  };

  longTest(
    'installs into an empty project, in which a program and the shop of the readme compile and take a payment',
    async () => {
      const packed = await run('npm', ['pack', '--silent', '--pack-destination', folder], {
        cwd: join(folder, 'package'),
      });
      await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }');
      await run('npm', ['install', '--no-audit', '--no-fund', `./${packed.stdout.trim()}`], { cwd: folder });
      const readme = await readFile(join(folder, 'node_modules', 'payments-client', 'README.md'), 'utf8');
      const samples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, sample = '']) => sample);
      const files = { 'pay.ts': PROGRAM, ...Object.fromEntries(samples.map((text, i) => [`sample-${i}.ts`, text])) };
      expect(Object.keys(files)).toHaveLength(2);
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
      await playShop(join(folder, 'sample-0.js'));
    },
    LIMIT_MS,
  );

  longTest('has no dependencies, and is small on a web page', async () => {
    const manifest = JSON.parse(await readFile(join(folder, 'package/package.json'), 'utf8'));
    expect(manifest.dependencies).toBeUndefined();
    const code = await readFile(join(folder, 'package/index.js'), 'utf8');
    expect(code).not.toMatch(/from "|require\(/);
    const { code: minified } = await transform(code, { minify: true });
    expect(gzipSync(minified).length).toBeLessThanOrEqual(MAX_GZIP);
  });
});

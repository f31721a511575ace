import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { longTest } from '#test/support/jest/long.ts';
import { openBusiness } from '#test/support/worlds/merchant.ts';
import { startReceiver } from '#test/support/worlds/receiver.ts';
import { startStack } from '#test/support/worlds/stack.ts';

/*
 * Runs the downloaded collection, with its scripts, in Postman's own runner. It is installed from its own package-lock.json, because nothing
 * else needs it.
 */

const run = promisify(execFile);
const TOOLS = resolve('test/tools/postman');
const LIMIT_MS = 300_000;

interface Execution {
  readonly item: { readonly name: string };
  readonly request: { readonly method: string };
  readonly response: { readonly code: number; readonly stream: { readonly data: readonly number[] } };
}

longTest(
  'the Postman collection runs twice from top to bottom, each request succeeds, and a payment is made',
  async () => {
    const stack = await startStack({ env: { ROUTING_ORDER: JSON.stringify(['paystack', 'monnify']) } });
    const receiver = await startReceiver();
    const folder = await mkdtemp(join(tmpdir(), 'payments-postman-'));
    try {
      await run('npm', ['ci', '--prefix', TOOLS]);
      const merchant = await openBusiness(stack, 'Ada Stores Limited');
      await stack.ops('business', 'set', merchant.id, '--routing');
      const [collection, report] = [join(folder, 'collection.json'), join(folder, 'report.json')];
      await writeFile(collection, await (await fetch(`${stack.baseUrl}/api/v1/postman.json`)).text());
      const values = { bearerToken: merchant.secretTest.key, webhook_url: receiver.url };
      const options = [
        ...Object.entries(values).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]),
        ...['--iteration-count', '2', '--reporters', 'json', '--reporter-json-export', report],
      ];
      await run(join(TOOLS, 'node_modules/.bin/newman'), ['run', collection, ...options]).catch(() => undefined);
      const { executions } = JSON.parse(await readFile(report, 'utf8')).run as { executions: Execution[] };
      const answers = executions.map(({ item, response }) => ({
        name: item.name,
        status: response.code,
        text: Buffer.from(response.stream.data).toString(),
      }));
      expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
      expect(answers.length).toBeGreaterThan(50);
      const paid = answers.filter(({ name }) => name === 'Verify a checkout').map(({ text }) => JSON.parse(text).data);
      expect(paid).toEqual([1, 2].map(() => expect.objectContaining({ status: 'paid', paid_amount: 8_500.75 })));
      expect(paid[0].reference).not.toBe(paid[1].reference);
      expect(receiver.received.map(({ headers }) => headers['webhook-id'])).not.toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
      await receiver.stop();
      await stack.stop();
    }
  },
  LIMIT_MS,
);

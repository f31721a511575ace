import { copyFile, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isLongRun } from '#test/support/jest/long.ts';
import {
  type ClientWorld,
  describeClient,
  LIMIT_MS,
  run,
  startClientWorld,
  TOOLS,
} from '#test/support/worlds/generated-client.ts';
import { eventually } from '#test/support/worlds/merchant.ts';
import { hasPython, pythonTest, pythonTools } from '#test/support/worlds/python.ts';

/* Python clients that third-party tools generate from the published document make payments on a running service. */

const ORDER = { amount: 8_500_000.75, payer_email: 'tunde.bakare@example.com' };

describeClient('Python', () => {
  let bin: string;
  let world: ClientWorld;
  beforeAll(async () => {
    if (!isLongRun || !hasPython) return;
    world = await startClientWorld();
    bin = await pythonTools(world.folder, TOOLS);
  }, LIMIT_MS);
  afterAll(() => world?.stop());

  pythonTest(
    'openapi-python-client generates everything, and its client compiles and takes a payment',
    async () => {
      const { folder, document, env } = world;
      const python = join(bin, 'python');
      const client = join(folder, 'client');
      const generated = await run(
        join(bin, 'openapi-python-client'),
        ['generate', '--path', document, '--output-path', client, '--meta', 'none', '--overwrite'],
        { env: { ...env, PATH: `${bin}:${env.PATH}` } },
      );
      // The generator does not support an answer in YAML. It must leave out nothing else.
      const omitted = `${generated.stdout}${generated.stderr}`.match(/WARNING parsing .+|Unable to .+/g) ?? [];
      expect(omitted).toEqual(['WARNING parsing GET /api/v1/openapi.yaml within service.']);
      await symlink(client, join(folder, 'payments_api_client'));
      await run(python, ['-m', 'compileall', '-q', client]);
      await copyFile(join(TOOLS, 'pay.py'), join(folder, 'pay.py'));
      const { stdout } = await run(python, [join(folder, 'pay.py')], { env });
      expect(stdout).toMatch(world.printed);
    },
    LIMIT_MS,
  );

  pythonTest(
    'datamodel-codegen gives readable names, and its models read answers and a webhook',
    async () => {
      const { folder, document, env, merchant } = world;
      const models = join(folder, 'models.py');
      const output = ['--output', models, '--output-model-type', 'pydantic_v2.BaseModel', '--formatters', 'builtin'];
      await run(join(bin, 'datamodel-codegen'), ['--input', document, '--input-file-type', 'openapi', ...output]);
      const classes = [...(await readFile(models, 'utf8')).matchAll(/^class (\w+)/gm)].map(([, name]) => name);
      expect(classes).toEqual(expect.arrayContaining(['CheckoutStatus', 'ErrorCode', 'Event', 'VirtualAccount']));
      // The tool numbers a schema that has no name of its own.
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
        expect(read.stdout).toBe('paid 8500000.75 paid\n');
      } finally {
        await receiver.stop();
      }
    },
    LIMIT_MS,
  );
});

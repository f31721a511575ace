import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chapters } from '#infra/openapi/guide.ts';
import { parseDocument } from '#infra/openapi/page/parsed.ts';
import { makeSamples, type Sample } from '#infra/openapi/page/samples.ts';
import { SERVER_PLACEHOLDER } from '#infra/openapi/server-placeholder.ts';
import { isInstalled } from '#test/support/worlds/installed.ts';
import { eventually, openBusiness } from '#test/support/worlds/merchant.ts';
import { testWith } from '#test/support/worlds/other-tools.ts';
import { type Stack, startStack } from '#test/support/worlds/stack.ts';

/* Runs the samples of the documentation on a running service. */

const run = promisify(execFile);
const LIMIT_MS = 60_000;
/** The first Go program on a machine is compiled together with the standard library. */
const SAMPLES_LIMIT_MS = 180_000;

let stack: Stack;

describe('the guide on a running service', () => {
  beforeAll(async () => {
    stack = await startStack({ env: { ROUTING_ORDER: JSON.stringify(['paystack', 'monnify']) } });
  }, LIMIT_MS);
  afterAll(async () => {
    await stack?.stop();
  });

  const withCurl = isInstalled('curl') ? test : test.skip;
  withCurl(
    'the chapter on test mode gets a payer another account, pays into both accounts, and receives both webhooks',
    async () => {
      const merchant = await openBusiness(stack, 'Another Account');
      await stack.ops('business', 'set', merchant.id, '--routing');
      const receiver = await merchant.listen();
      const { markdown = '' } = chapters().find(({ slug }) => slug === 'test-mode') ?? {};
      const [, program = ''] = /```sh\n(PAYMENTS_URL=.*?)```/s.exec(markdown) ?? [];
      const pasted = program
        .replaceAll(SERVER_PLACEHOLDER, stack.baseUrl)
        .replace('sk_test_…', merchant.secretTest.key);
      const { stdout } = await run('sh', ['-euc', pasted]);
      const answers = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).data);
      expect(answers).toMatchObject([
        { status: 'pending', provider: 'monnify', accounts: [{ provider: 'paystack' }, { provider: 'monnify' }] },
        { status: 'paid', difference: 0, payments: [{ provider: 'paystack' }] },
        { status: 'paid', difference: 8_500.75, payments: [{ provider: 'monnify' }, { provider: 'paystack' }] },
      ]);
      const types = () => receiver.received.map(({ body }) => JSON.parse(body).type);
      await eventually('both webhooks have arrived', () => types().length === 2);
      expect(types().toSorted()).toEqual(['checkout.overpaid', 'checkout.paid']);
      await receiver.stop();
    },
    LIMIT_MS,
  );

  describe('the samples', () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'payments-samples-'));
    });
    afterAll(() => rm(folder, { recursive: true }));
    const LANGUAGES = [
      ['curl', isInstalled('curl') && isInstalled('openssl') ? test : test.skip, 'sh', ['sh']],
      ['Node', test, 'mjs', [process.execPath]],
      ['Python', testWith(['Python', 'Requests']), 'py', ['python3']],
      ['PHP', testWith(['PHP']), 'php', ['php']],
      ['Go', testWith(['Go'], { isLong: true }), 'go', ['go', 'run']],
    ] as const;
    const { endpoints } = parseDocument();
    /** Prepares a sample as a reader pastes it: with the address of this service. */
    const prepare = (operationId: string, title: string): string => {
      const endpoint = endpoints.find((each) => each.operationId === operationId);
      const { code = '' } = (endpoint && makeSamples(endpoint).find((each: Sample) => each.title === title)) ?? {};
      return code.replaceAll(SERVER_PLACEHOLDER, stack.baseUrl);
    };

    // Skip a language if the machine lacks it, or lacks a library that its samples need.
    for (const [title, check, ending, [command, ...args]] of LANGUAGES) {
      /** Runs a sample as a reader does, from a file. */
      const play = async (code: string, key: string): Promise<{ stdout: string; stderr: string }> => {
        const file = join(folder, `sample.${ending}`);
        await writeFile(file, code);
        return run(command, [...args, file], { env: { ...process.env, PAYMENTS_KEY: key } });
      };

      check(
        `start, pay, verify and list a checkout: ${title}`,
        async () => {
          const merchant = await openBusiness(stack, `Samples in ${title}`);
          let reference = '';
          const runSample = async (operationId: string): Promise<string> => {
            const code = prepare(operationId, title).replaceAll(/PAY-[0-9A-Z]{20}/g, reference);
            return (await play(code, merchant.secretTest.key)).stdout;
          };
          reference = /PAY-[0-9A-Z]{20}/.exec(await runSample('initializeCheckout'))?.[0] ?? '';
          expect(await runSample('simulateCheckoutPayment')).toContain(reference);
          expect(await runSample('verifyCheckout')).toMatch(/paid['"]?: (true|True)|"paid":true/);
          expect(await eventually('the list can be read', () => runSample('listCheckouts'))).toContain('data');
        },
        SAMPLES_LIMIT_MS,
      );

      check(
        `print status, code, message and each of the errors of a failure: ${title}`,
        async () => {
          const { secretTest } = await openBusiness(stack, `Failures in ${title}`);
          const wrong = prepare('initializeCheckout', title)
            .replace('8500.75', '8500.755')
            .replace('tunde.bakare@example.com', 'nobody');
          // This endpoint answers with a file on success, and with JSON on failure.
          const wrongFile = prepare('exportPayments', title).replace(
            '/payments/export',
            '/payments/export?outcome=lost',
          );
          for (const [code, ...fields] of [
            [wrong, 'amount', 'payer_email'],
            [wrongFile, 'outcome'],
          ] as const) {
            const { code: exitCode, stdout, stderr } = await play(code, secretTest.key).catch((error) => error);
            expect(exitCode).toBeGreaterThan(0);
            const messages = fields.map((name) => `${name} must`);
            for (const part of ['422', 'validation_failed', 'The given data was invalid.', ...messages]) {
              expect(stdout + stderr).toContain(part);
            }
          }
        },
        SAMPLES_LIMIT_MS,
      );
    }
  });
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LANGUAGES, runProgram, testIn } from '#test/support/worlds/guide-programs.ts';
import { eventually, type Merchant, openBusiness } from '#test/support/worlds/merchant.ts';
import { type Stack, startStack } from '#test/support/worlds/stack.ts';

/* The guide's nightly jobs read the payments and reversals of a running service. */

const LIMIT_MS = 120_000;

/** Starts a proxy that passes on a job's requests with a page size of one, so that the job must follow cursors. */
const startSmallPages = async (service: string) => {
  const server = createServer(async ({ url = '', headers }, response) => {
    const small = service + url.replace('limit=100', 'limit=1');
    const answer = await fetch(small, { headers: { authorization: headers.authorization ?? '' } });
    response.writeHead(answer.status).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
};

describe('the guide’s nightly job', () => {
  let stack: Stack;
  let merchant: Merchant;
  let pages: Awaited<ReturnType<typeof startSmallPages>>;
  let lines: readonly unknown[];
  beforeAll(async () => {
    stack = await startStack();
    pages = await startSmallPages(stack.baseUrl);
    merchant = await openBusiness(stack, 'Nightly');
    const body = { customer_name: 'Adaeze Okafor', provider: 'monnify' };
    const { id } = (await merchant.api('POST', '/virtual-accounts', { body })).json.accounts[0];
    const transfer = async (options: object) =>
      (await merchant.api('POST', `/virtual-accounts/${id}/sandbox/simulate`, { body: options })).json.data;
    const landed = await transfer({ amount: 8_500_000.75 });
    const returned = await transfer({ amount: 700 });
    await transfer({ outcome: 'reversed' });
    const started = await merchant.api('POST', '/checkout/initialize', {
      body: { amount: 20, payer_email: 'tunde.bakare@example.com', merchant_reference: 'ORDER-417' },
    });
    const { reference } = started.json.data;
    for (const body of [{ reference }, { reference, outcome: 'reversed' }]) {
      await merchant.api('POST', '/checkout/sandbox/simulate', { body });
    }
    lines = [
      expect.stringMatching(/^pay_\S+ reversed 20 ORDER-417$/),
      `${returned.id} reversed 700 ${id}`,
      `${landed.id} accepted 8500000.75 ${id}`,
      expect.stringMatching(/^pay_\S+ reversed 20 ORDER-417$/),
      `${returned.id} reversed 700 ${id}`,
    ];
  }, LIMIT_MS);
  afterAll(async () => {
    pages?.stop();
    await stack?.stop();
  });

  for (const language of LANGUAGES)
    testIn(language)(
      `finds the money that landed and the money that was taken back, page by page: ${language}`,
      async () => {
        const variables = { PAYMENTS_URL: pages.url, PAYMENTS_KEY: merchant.secretTest.key };
        const period = [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
        const printed = await eventually('the lists are complete', async () => {
          const output = (await runProgram(language, 'nightly', variables, period)).trim().split('\n');
          return output.length === 5 ? output : undefined;
        });
        expect(printed).toEqual(lines);
      },
      LIMIT_MS,
    );
});

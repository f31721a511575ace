import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guide } from '#infra/openapi/guide.ts';
import { findQuietPort } from '#test/support/emulators/quiet-port.ts';
import { eventually, openBusiness } from '#test/support/worlds/merchant.ts';
import { testWith } from '#test/support/worlds/other-tools.ts';
import { startStack } from '#test/support/worlds/stack.ts';

/* Checks that the PHP of the chapter "Laravel and WooCommerce" is well-formed, and that its plugin settles an order once. */

const LIMIT_MS = 60_000;
const withPhp = testWith(['PHP']);

withPhp('the PHP of the guide is well-formed', () => {
  const blocks = [...guide().matchAll(/^```php\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
  expect(blocks.length).toBeGreaterThanOrEqual(4);
  const check = 'foreach (json_decode(stream_get_contents(STDIN)) as $code) token_get_all($code, TOKEN_PARSE);';
  expect(() => execFileSync('php', ['-r', check], { input: JSON.stringify(blocks) })).not.toThrow();
});

withPhp(
  'the guide’s WooCommerce plugin completes an order once, and adds a note for a person if a payment is too small, comes twice, is reversed, or is for a cancelled or refunded order',
  async () => {
    const [stack, port] = [await startStack(), await findQuietPort()];
    const folder = await mkdtemp(join(tmpdir(), 'payments-wordpress-'));
    const file = join(folder, 'state.json');
    const url = `http://127.0.0.1:${port}`;
    const merchant = await openBusiness(stack, 'Ada Stores Limited');
    const pending = { status: 'pending', total: '8500.75' };
    const soon = { _payments_expires_at: String(Math.floor(Date.now() / 1_000)) };
    const [cancelled, refunded] = ['cancelled', 'refunded'].map((status) => ({ ...pending, status }));
    const state = { 417: { ...pending, meta: soon }, 418: cancelled, 419: pending, 420: refunded };
    await writeFile(file, JSON.stringify(state));
    const { json } = await merchant.api('POST', '/webhook-endpoints', { body: { url: `${url}/webhook` } });
    const env = {
      ...process.env,
      PAYMENTS_URL: stack.baseUrl,
      PAYMENTS_KEY: merchant.secretTest.key,
      WEBHOOK_SECRET: json.data.secret,
      STATE: file,
    };
    const shop = spawn('php', ['-S', `127.0.0.1:${port}`, 'test/long/wordpress.php'], { env, stdio: 'ignore' });
    const order = async (id: number) =>
      (await (await fetch(`${url}/?order=${id}`)).json()) as { readonly notes: readonly string[] };
    const pay = async (id: number, amount: number): Promise<string> => {
      const body = { amount, payer_email: 'tunde.bakare@example.com', metadata: { order: String(id) } };
      const { reference } = (await merchant.api('POST', '/checkout/initialize', { body })).json.data;
      await merchant.api('POST', '/checkout/sandbox/simulate', { body: { reference } });
      return reference;
    };
    const awaitDelivered = (count: number) =>
      eventually('the webhooks have arrived', async () => {
        const { data } = (await merchant.api('GET', '/events?delivery_status=succeeded')).json;
        return data.length === count ? data : undefined;
      });
    try {
      await eventually('the shop answers', () => order(417).catch(() => undefined));
      expect([await order(417), await order(419)]).toMatchObject([
        { wouldBeCancelled: false },
        { wouldBeCancelled: true },
      ]);
      const unsigned = await fetch(`${url}/webhook`, { method: 'POST', body: '{"type": "checkout.paid"}' });
      expect(unsigned.status).toBe(401);

      const first = await pay(417, 8_500.75);
      await awaitDelivered(1);
      const second = await pay(417, 8_500.75);
      await awaitDelivered(2);
      for (const event of await awaitDelivered(2)) await merchant.api('POST', `/events/${event.id}/redeliver`);
      await eventually('they were delivered again', async () => {
        const { data } = (await merchant.api('GET', '/events')).json;
        const answers = await Promise.all(data.map(({ id }: { id: string }) => merchant.api('GET', `/events/${id}`)));
        return answers.every(({ json: { data: event } }) => event.deliveries[0].attempts.length === 2);
      });
      expect(await order(417)).toMatchObject({
        status: 'processing',
        transaction: first,
        completions: 1,
        notes: [`Paid a second time: refund ${second}.`],
      });

      const reversal = { reference: first, outcome: 'reversed' };
      await merchant.api('POST', '/checkout/sandbox/simulate', { body: reversal });
      await eventually('a person is told', async () => (await order(417)).notes.length === 2);
      expect((await order(417)).notes[1]).toBe(`8500.75 naira of ${first} were taken back.`);

      const late = await pay(418, 8_500.75);
      const short = await pay(419, 8_500.74);
      const unwanted = await pay(420, 8_500.75);
      await awaitDelivered(6);
      expect(await order(418)).toMatchObject({
        status: 'cancelled',
        notes: [`${late} was paid after the order was cancelled: check the stock, or refund.`],
      });
      expect(await order(419)).toMatchObject({
        status: 'pending',
        notes: [`${short} is paid with less than the order costs.`],
      });
      expect(await order(420)).toMatchObject({
        status: 'refunded',
        notes: [`${unwanted} was paid, but the order is refunded: look into it, or refund.`],
      });
    } finally {
      shop.kill();
      await stack.stop();
      await rm(folder, { recursive: true });
    }
  },
  LIMIT_MS,
);

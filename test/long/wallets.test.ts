import {
  LANGUAGES,
  type Language,
  type Program,
  programPort,
  startProgram,
  testIn,
} from '#test/support/worlds/guide-programs.ts';
import { eventually, type Merchant, openBusiness } from '#test/support/worlds/merchant.ts';
import { type Stack, startStack } from '#test/support/worlds/stack.ts';

/* The wallets of the guide credit customers on a running service. */

const LIMIT_MS = 120_000;

describe('the wallets on a running service', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack();
  }, LIMIT_MS);
  afterAll(async () => {
    await stack?.stop();
  });

  const openAccount = async (merchant: Merchant, customer: string): Promise<string> => {
    const body = { customer_name: customer, provider: 'monnify' };
    return (await merchant.api('POST', '/virtual-accounts', { body })).json.accounts[0].id;
  };

  /** Starts a wallet of the guide that knows one account: CUSTOMER-7's. Stops the wallet after `play`. */
  const withWallet = async (
    language: Language,
    play: (merchant: Merchant, wallet: Program, account: string, endpoint: string) => Promise<void>,
  ): Promise<void> => {
    const merchant = await openBusiness(stack, `Wallet in ${language}`);
    const port = await programPort();
    const body = { url: `http://127.0.0.1:${port}/webhooks` };
    const { id: endpoint, secret } = (await merchant.api('POST', '/webhook-endpoints', { body })).json.data;
    const account = await openAccount(merchant, 'Adaeze Okafor');
    const wallet = await startProgram(language, 'wallet', port, {
      WEBHOOK_SECRET: secret,
      ACCOUNTS: JSON.stringify({ [account]: 'CUSTOMER-7' }),
    });
    try {
      await play(merchant, wallet, account, endpoint);
    } finally {
      await wallet.stop();
    }
  };

  describe.each(LANGUAGES)('the wallet of the guide in %s', (language) => {
    testIn(language)(
      'credits each payment once, takes back reversed payments, and reports an unknown account to a person',
      () =>
        withWallet(language, async (merchant, wallet, account, endpoint) => {
          const hasBalance = async (naira: number) => {
            const balance = (await (await fetch(`${wallet.url}/wallets/CUSTOMER-7`)).json()) as { naira: number };
            return balance.naira === naira;
          };
          const transfer = (body: object, to = account) =>
            merchant.api('POST', `/virtual-accounts/${to}/sandbox/simulate`, { body });
          expect(await hasBalance(0)).toBe(true);
          await transfer({ amount: 5_000.75 });
          await transfer({ amount: 19.99 });
          await eventually('both payments are credited', () => hasBalance(5_020.74));
          // Repeat the same payments, as a recovery would.
          const { json: events } = await merchant.api('GET', '/events?type=virtual_account.payment_received');
          expect(events.data).toHaveLength(2);
          for (const event of events.data) await merchant.api('POST', `/events/${event.id}/redeliver`);
          await eventually('both events were delivered again', async () => {
            const answers = await Promise.all(
              events.data.map((event: { id: string }) => merchant.api('GET', `/events/${event.id}`)),
            );
            return answers.every((answer) => answer.json.data.deliveries[0].status === 'succeeded');
          });
          expect(await hasBalance(5_020.74)).toBe(true);
          await transfer({ outcome: 'reversed' });
          await eventually('the newest payment is taken back', () => hasBalance(5_000.75));
          // Repeat the payments after the reversal: the reversed one is not credited again.
          for (const event of events.data) await merchant.api('POST', `/events/${event.id}/redeliver`);
          // The wallet ignores an example event. It reports an account without a customer to a person, and still answers with 2xx.
          const type = 'virtual_account.payment_received';
          await merchant.api('POST', `/webhook-endpoints/${endpoint}/test`, { body: { type } });
          const other = await openAccount(merchant, 'Chidi Eze');
          await transfer({ amount: 700 }, other);
          await eventually('the wallet reports the unknown account', () =>
            wallet.printed().includes(`700 naira on ${other}, which is no customer's account`),
          );
          expect(wallet.printed().match(/look into/g)).toHaveLength(1);
          await eventually('all five events have arrived', async () => {
            const { data } = (await merchant.api('GET', '/events?delivery_status=succeeded')).json;
            return data.length === 5 && data.some((event: { example?: boolean }) => event.example);
          });
          expect(await hasBalance(5_000.75)).toBe(true);
          const { health } = (await merchant.api('GET', `/webhook-endpoints/${endpoint}`)).json.data;
          expect(health.status).toBe('healthy');
        }),
      LIMIT_MS,
    );
  });
});

import { SECOND } from '#shared/platform/kernel/time.ts';
import { describeRows } from '#test/support/jest/long.ts';
import { CRASHES, CRASHES_ON_THE_WAY, crash } from '#test/support/worlds/live-crash.ts';
import { breakOpening, type LiveApi } from '#test/support/worlds/live-faults.ts';
import { ASKED, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import {
  expectPaid,
  KEY,
  listAccountsAt,
  listAttempts,
  ORDER,
  ORDER_OF_STAGE,
} from '#test/support/worlds/routed-merchant.ts';

/* Kills a process at each step while it opens a checkout for which two providers are candidates. */

const LEASE = 30 * SECOND;

openWorldForEachTest({ routingOrder: ORDER_OF_STAGE });

let api: LiveApi;
beforeEach(() => {
  ({ api } = merchant);
});

/** The steps at which a process is killed, each with the first provider's reaction to the process's call. */
const KILLED: [at: Parameters<typeof crash>[3], first: 'loses the answer' | 'hangs' | 'fails'][] = [
  ['before the next provider answers', 'loses the answer'],
  ['before the answer is written', 'loses the answer'],
  ['before the move is written', 'loses the answer'],
  ['before the provider answers', 'hangs'],
  ...[...CRASHES_ON_THE_WAY, CRASHES[1]].map((at): (typeof KILLED)[number] => [at, 'fails']),
];

describeRows(
  'a process killed %s whose first provider %s',
  KILLED,
  (_, index) => index < 2,
  (at, first) => {
    const die = async (): Promise<string> => {
      const isAtFirst = at === 'before the provider answers';
      if (first === 'loses the answer') breakOpening(world, 'paystack', 'checkout', { kind: 'lost_answer' });
      if (first === 'fails') breakOpening(world, 'paystack', 'checkout', { kind: 'server_fault' });
      const work = {
        work: 'checkout',
        order: ORDER_OF_STAGE,
        providers: [isAtFirst ? 'paystack' : 'monnify'],
        requests: [{ body: ORDER, headers: KEY }],
      } as const;
      await crash(world, merchant.business, work, at);
      return String((await world.itemsOf('CHK'))[0]?.reference);
    };
    /** Expects that each provider got a reference only once, and that money on every account of the checkout counts. */
    const expectOneCheckout = async (reference: string): Promise<void> => {
      const { provider, account_number: number } = await merchant.fetch(reference);
      await world.minutesPass(5);
      for (const [, , state] of await listAttempts()) expect(['open', 'refused', 'unknown']).toContain(state);
      const opened = world.simulator.books.accounts().map((account) => `${account.provider} ${account.reference}`);
      expect(new Set(opened).size).toBe(opened.length);
      await expectPaid(reference, provider, number);
      const hidden = listAccountsAt('paystack').find((account) => account.number !== number);
      if (hidden && first === 'loses the answer') {
        await world.pay('paystack', hidden.number, ASKED);
        expect(await merchant.fetch(reference)).toMatchObject({ paid_amount: 17_000 });
      }
      expect(await world.unmatched()).toEqual([]);
      await world.expectBooksToAgree();
    };

    test('leaves the attempts of its request to a retry with the same Idempotency-Key', async () => {
      const reference = await die();
      const before = await listAttempts();
      world.clock.advance(LEASE);
      const { status, json } = await api.initialize(ORDER, KEY);
      expect([status, json.data.reference]).toEqual([201, reference]);
      // The reference of a second try at the same provider ends in a digit.
      const listNames = (attempts: Awaited<ReturnType<typeof listAttempts>>) =>
        attempts.map(([name, end]) => `${name}${end?.replace(/-\d$/, '')}`);
      expect(listNames(await listAttempts())).toEqual(listNames(before));
      await expectOneCheckout(reference);
    });

    test('leaves an opened account to the sweeper, which opens one checkout with it, and otherwise leaves nothing', async () => {
      const reference = await die();
      await world.sweepAfter(LEASE);
      // Monnify knows the payment from the first of its two calls.
      const isOpen = world.simulator.books.accounts().length > 0 || at === 'before the next provider answers';
      expect((await world.itemsOf('CHK')).map((item) => item.status)).toEqual(isOpen ? ['pending'] : []);
      if (isOpen) await expectOneCheckout(reference);
      else expect((await api.initialize(ORDER)).status).toBe(201);
    });
  },
);

import { inBatches } from '#shared/platform/kernel/batches.ts';
import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { LiveProviders } from '#shared/providers/ports.ts';
import { doMoneyWorkFunction } from './handlers.ts';
import { type Changes, makeProvidersWith, makeUnreachableSettings } from './live-faults.ts';
import { openMerchant } from './live-merchant.ts';
import { LONG_TIMEOUTS, makeLiveWorld } from './live-world.ts';

/** The way in which a provider is away: it answers nothing, answers 500, refuses connections, or answers 429. */
export type Away = 'hung' | 'server_fault' | 'refused' | 'rate_limited';

/** Milliseconds between two times at which consumers read their queues. A provider that is down is asked again as often. */
export const STEP = 30 * SECOND;
/** Seconds in the Retry-After of a provider's 429. */
const RETRY_AFTER = '20';
/** Messages in one call of the consumer (infra/functions.ts). */
const BATCH = 5;
/** Real milliseconds after which an unanswered call ends: no test waits for the real time-out. */
const HUNG_MS = 60;

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/**
 * Opens a merchant with an account at every provider. `provider` goes away. Payments arrive there at each step or minute, and at the
 * other providers each minute. Sweepers run each minute and consumers at each step. Amounts are kobo.
 */
export const openProviderHour = async (provider: ProviderName) => {
  const world = await makeLiveWorld();
  const { simulator, clock, deps } = world;
  const merchant = await openMerchant(world);
  const others = PROVIDERS.filter((name) => name !== provider);
  const accounts = new Map<ProviderName, string>();
  for (const name of PROVIDERS) accounts.set(name, (await merchant.account(name)).accountNumber);
  // Consumers are processes of their own: no answer to a notification waits for them.
  world.holdMoneyWork(true);
  let changes: Changes = {};
  let payments = 0;
  let receivedAgain = 0;
  let callsBeforeAnswers = 0;
  let steps = 0;
  let stepsPerPayment = 1;

  const payAccount = async (name: ProviderName): Promise<void> => {
    payments += 1;
    await world.pay(name, accounts.get(name) ?? '', 100_000 + payments);
  };
  const consume = async (lane: ProviderName): Promise<void> => {
    const eventSourceARN = `arn:aws:sqs:us-east-1:000000000000:payments-dev-money-${lane}`;
    const call = async (tickets: readonly unknown[]): Promise<void> => {
      const Records = tickets.map((ticket, i) => ({
        messageId: String(i),
        body: JSON.stringify(ticket),
        eventSourceARN,
      }));
      const { batchItemFailures } = await doMoneyWorkFunction({ ...deps, ...changes })({ Records } as never);
      receivedAgain += batchItemFailures.length;
    };
    await Promise.all(inBatches(await world.takeTickets(lane), BATCH).map(call));
  };
  const replaceProvider = (liveProviders: LiveProviders): Changes => ({
    liveProviders: (name) => (name === provider ? liveProviders : deps.liveProviders)(name),
  });

  return {
    world,
    merchant,
    others,
    /** Returns the dependencies that our processes have now in place of the world's. */
    changes: (): Changes => changes,
    /** Counts the messages that the consumer has returned to the queue. After five receives they would be dead letters. */
    receivedAgain: () => receivedAgain,
    /** Counts the calls that the provider has got before its notification was answered. */
    callsBeforeAnswers: () => callsBeforeAnswers,
    /** Lists the stored notifications of the provider. */
    notifications: async () =>
      (await world.itemsOf('NTF')).filter(
        (notification) => notification.provider === provider && notification.query === null,
      ),
    /** Sums up the money that these providers keep, and the part of it that is credited. */
    moneyAt: async (...names: readonly ProviderName[]) => {
      const transfers = simulator.books.transfers().filter(({ account }) => names.includes(account.provider));
      const accepted = (await world.recorded()).filter(({ outcome }) => outcome === 'accepted');
      const credited = accepted.filter((payment) => names.includes(payment.provider));
      return {
        kept: sum(transfers.map(({ keptAmount }) => keptAmount)),
        credited: sum(credited.map(({ amount }) => amount)),
      };
    },
    /** Opens a checkout and pays it. The notification of the payment gets lost. */
    payUnnoticed: async (name: ProviderName, order: Record<string, unknown> = {}) => {
      const opened = await merchant.checkout(name, order);
      simulator.fault(name, { kind: 'lost', times: 1 });
      await world.pay(name, opened.accountNumber, 850_000);
      return opened.reference;
    },
    leave: (how: Away): void => {
      // Work that a 429 postpones comes back each minute, so fewer payments cause as many calls.
      stepsPerPayment = how === 'rate_limited' ? 2 : 1;
      if (how === 'hung') {
        simulator.fault(provider, { kind: 'hung' });
        const timeouts = { ...LONG_TIMEOUTS, answerMs: HUNG_MS };
        changes = replaceProvider(makeProvidersWith(world, world.settings, timeouts).liveProviders);
      } else if (how === 'refused') {
        changes = replaceProvider(makeProvidersWith(world, makeUnreachableSettings(world, [provider])).liveProviders);
      } else simulator.fault(provider, how === 'rate_limited' ? { kind: how, retryAfter: RETRY_AFTER } : { kind: how });
    },
    comeBack: (): void => {
      simulator.fault(provider, null);
      changes = {};
    },
    /** Counts the writes of the provider's shared look-up state: by each counted failure, each probe, and each limit. */
    breakerWrites: async (): Promise<number> => (await deps.providerBreakers.find(provider, 'look_ups')).version,
    /** Lets one step pass. `meanwhile` runs while the consumer of the provider's own queue works. */
    step: async (meanwhile: () => Promise<void> = async () => {}): Promise<void> => {
      clock.advance(STEP);
      steps += 1;
      const requestsBefore = simulator.books.requests(provider);
      if (steps % stepsPerPayment === 0) await payAccount(provider);
      callsBeforeAnswers += simulator.books.requests(provider) - requestsBefore;
      if (steps % (MINUTE / STEP) === 0) {
        for (const name of others) await payAccount(name);
        await world.dispatch(changes);
      }
      const away = consume(provider);
      await Promise.all(others.map(consume));
      await meanwhile();
      await away;
    },
    stop: world.stop,
  };
};

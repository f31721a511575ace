import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { type Changes, changeProviders, makeProvidersWith, makeUnreachableSettings } from './live-faults.ts';
import { ASKED, merchant, world } from './live-merchant.ts';

/* Steps for the checkouts of a merchant that allows another provider than the stage's default. */

/** The stage's order of providers. */
export const ORDER_OF_STAGE = ['paystack', 'monnify', 'korapay'] as const;
export const ORDER = { amount: 8_500, payer_email: 'chidi.eze@example.com', merchant_reference: 'INV-1' };
export const KEY = { 'idempotency-key': 'order-2026-11-27-0042' };

/** Lists the attempts of the only checkout: provider, end of the reference, state. */
export const listAttempts = async () => {
  const [item] = await world.itemsOf('CHK');
  const attempts = (item?.attempts ?? []) as { provider: ProviderName; reference: string; state: string }[];
  return attempts.map(({ provider, reference, state }) => [provider, reference.slice(24), state]);
};
/** Lists the accounts that a provider has opened. */
export const listAccountsAt = (name: ProviderName) =>
  world.simulator.books.accounts().filter(({ provider }) => provider === name);
/** Replaces providers so that no server listens at their addresses. */
export const unreachableProviders = (...names: ProviderName[]): Changes =>
  makeProvidersWith(world, makeUnreachableSettings(world, names));
/** Replaces providers so that they answer with an error. */
export const rejectingProviders = (error: Error, ...names: ProviderName[]): Changes =>
  changeProviders(world, (_, name) =>
    names.includes(name) ? { createPaymentAccount: () => Promise.reject(error) } : {},
  );
/** Replaces providers so that they never answer, and the wait for their answer ends at once. */
export const silentProviders = (...names: ProviderName[]): Changes => {
  let isWaiting = false;
  return {
    ...changeProviders(world, (issuer, name) => ({
      createPaymentAccount: (request) => {
        isWaiting = names.includes(name);
        return isWaiting ? new Promise(() => {}) : issuer.createPaymentAccount(request);
      },
    })),
    wait: (milliseconds) => (isWaiting ? Promise.resolve() : world.deps.wait(milliseconds)),
  };
};
/** Pays a checkout at one of its accounts, and expects that it becomes paid. */
export const expectPaid = async (reference: string, provider: ProviderName, accountNumber: string): Promise<void> => {
  await world.pay(provider, accountNumber, ASKED);
  expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: 8_500 });
};

import type { Kobo } from '#shared/domain/kernel/money.ts';
import { HOUR } from '#shared/domain/kernel/time.ts';
import { type ProviderName, providerName } from '#shared/domain/providers/provider.ts';
import type { LiveWorld } from '#test/support/worlds/live-world.ts';
import type { Planned } from './money-stage.ts';

/** Accounts that somebody opened at a provider past us, in the same merchant's name: money on them is nobody's in our books. */
export const strangers = ({ deps, clock }: Pick<LiveWorld, 'deps' | 'clock'>) => {
  let opened = 0;
  // Some look like a checkout of ours that we do not have, some are in another's style.
  const newReference = (): string => {
    opened += 1;
    return opened % 2 === 0 ? `order-of-others-${opened}` : `PAY-STRANGER${String(opened).padStart(12, '0')}`;
  };

  return {
    /** A virtual account at each provider. */
    virtualAccounts: async (): Promise<readonly Omit<Planned, 'amount'>[]> =>
      Promise.all(
        providerName.options.map(async (provider) => {
          const reference = newReference();
          const digits = String(11_100_000_000 + opened);
          const who = {
            name: 'Bola Ade',
            phone: '+2348030000000',
            email: 'bola@example.com',
            bvn: digits,
            nin: digits,
          };
          const account = await deps.liveProviders(provider)?.createAccount(who, reference);
          return { provider, accountNumber: account?.accountNumber ?? '' };
        }),
      ),
    /** A payment account of so many kobo; undefined where the provider did not answer. */
    forOnePayment: async (provider: ProviderName, amount: number): Promise<Planned | undefined> => {
      const reference = newReference();
      const payer = { accountName: 'Bola Ade', payerEmail: 'bola@example.com', expiresAt: clock.now() + HOUR };
      const wanted = { reference, amount: amount as Kobo, ...payer };
      try {
        const issued = await deps.liveProviders(provider)?.createPaymentAccount(wanted);
        return issued && { provider, accountNumber: issued.account.accountNumber, amount: issued.amountToPay };
      } catch {
        return undefined;
      }
    },
  };
};

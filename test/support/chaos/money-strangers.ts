import type { Kobo } from '#shared/domain/kernel/money.ts';
import { HOUR } from '#shared/domain/kernel/time.ts';
import { type ProviderName, providerName } from '#shared/domain/providers/provider.ts';
import type { LiveWorld } from '#test/support/worlds/live-world.ts';
import type { Planned } from './money-stage.ts';

/** Accounts that somebody opened at a provider past us, in the same merchant's name: money on them is nobody's in our books. */
export const strangers = ({ deps, clock, twin }: Pick<LiveWorld, 'deps' | 'clock' | 'twin'>) => {
  let opened = 0;
  /** The reference of a checkout that a payer knows. */
  const checkoutAt = (provider: ProviderName): string | undefined =>
    twin.books.accounts().find((one) => one.provider === provider && /^PAY-[0-9A-Z]{20}$/.test(one.reference))
      ?.reference;
  // Some look like a checkout of ours that we do not have, some like an attempt that we never made, some are in another's style.
  const newReference = (provider?: ProviderName): string => {
    opened += 1;
    const known = provider && opened % 3 === 2 ? checkoutAt(provider) : undefined;
    if (known) return `${known}-${4 + (opened % 6)}`;
    return opened % 3 === 0 ? `order-of-others-${opened}` : `PAY-STRANGER${String(opened).padStart(12, '0')}`;
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
    /** A payment account for `amount` kobo; undefined where the provider did not answer. */
    forOnePayment: async (provider: ProviderName, amount: number): Promise<Planned | undefined> => {
      const reference = newReference(provider);
      const payer = {
        accountName: 'Bola Ade',
        payerName: null,
        payerEmail: 'bola@example.com',
        expiresAt: clock.now() + HOUR,
      };
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

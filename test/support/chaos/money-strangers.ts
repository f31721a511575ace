import type { Kobo } from '#shared/platform/kernel/money.ts';
import { HOUR } from '#shared/platform/kernel/time.ts';
import { listAttemptReferences } from '#shared/providers/domain/attempt-reference.ts';
import { type ProviderName, providerName } from '#shared/providers/domain/provider.ts';
import type { LiveWorld } from '#test/support/worlds/live-world.ts';
import type { PlannedTransfer } from './money-stage.ts';

/**
 * Opens accounts at a provider without our service, but with our credentials there. Their money is unmatched in our books. Some use references
 * that our checkouts have at another provider, or in test mode (`testReferences`).
 */
export const createStrangers = (
  { deps, clock, simulator }: Pick<LiveWorld, 'deps' | 'clock' | 'simulator'>,
  testReferences: readonly string[] = [],
) => {
  let opened = 0;
  const attempted = new Set<string>();
  /** Lists the references of our checkouts at the providers that `isAt` accepts, without those that a stranger has used. */
  const listKnown = (isAt: (provider: ProviderName) => boolean): readonly string[] =>
    simulator.books
      .accounts()
      .filter(({ provider, reference }) => isAt(provider) && !attempted.has(`${provider} ${reference}`))
      .filter(({ reference }) => /^PAY-[0-9A-Z]{20}$/.test(reference))
      .map(({ reference }) => reference);
  const newReference = (provider?: ProviderName): string => {
    opened += 1;
    const strange = `PAY-STRANGER${String(opened).padStart(12, '0')}`;
    if (!provider) return opened % 2 === 0 ? `order-of-others-${opened}` : strange;
    const [ownReference] = listKnown((at) => at === provider);
    const foreignReferences = listKnown((at) => at !== provider);
    const kinds = [
      // The reference of an attempt that this checkout never made.
      ownReference && `${ownReference}-${4 + (opened % 6)}`,
      foreignReferences[opened % Math.max(1, foreignReferences.length)],
      testReferences[opened % Math.max(1, testReferences.length)],
      `order-of-others-${opened}`,
      strange,
    ];
    return kinds[opened % kinds.length] ?? strange;
  };

  return {
    /** The payment accounts that strangers may have opened, each as provider and reference. */
    attempted: attempted as ReadonlySet<string>,
    /** Opens a virtual account at each provider. */
    openVirtualAccounts: async (): Promise<readonly Omit<PlannedTransfer, 'amount'>[]> =>
      Promise.all(
        providerName.options.map(async (provider) => {
          const reference = newReference();
          const digits = String(11_100_000_000 + opened);
          const customer = {
            name: 'Bola Ade',
            phone: '+2348030000000',
            email: 'bola@example.com',
            bvn: digits,
            nin: digits,
          };
          const account = await deps.liveProviders(provider)?.createAccount(customer, reference);
          return { provider, accountNumber: account?.accountNumber ?? '' };
        }),
      ),
    /** Opens a payment account for `amount` kobo. Returns undefined if the provider did not answer. */
    openPaymentAccount: async (provider: ProviderName, amount: number): Promise<PlannedTransfer | undefined> => {
      const reference = newReference(provider);
      for (const candidate of listAttemptReferences(reference)) attempted.add(`${provider} ${candidate}`);
      const payer = {
        accountName: 'Bola Ade',
        payerName: null,
        payerEmail: 'bola@example.com',
        expiresAt: clock.now() + HOUR,
      };
      const request = { reference, amount: amount as Kobo, ...payer };
      try {
        const issued = await deps.liveProviders(provider)?.createPaymentAccount(request);
        return issued && { provider, accountNumber: issued.account.accountNumber, amount: issued.amountToPay };
      } catch {
        return undefined;
      }
    },
  };
};

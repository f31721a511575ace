import type { RandomBytes } from '#shared/domain/kernel/ids.ts';
import { randomString } from '#shared/domain/kernel/ids.ts';
import { OutcomeUnknown, ProviderRefusal } from '#shared/domain/providers/errors.ts';
import type { ProviderName, ReceivingAccount } from '#shared/domain/providers/provider.ts';
import { nuban, SANDBOX_BANK_CODE } from '#shared/domain/virtual-accounts/nuban.ts';
import type { AccountIssuer } from '#shared/ports/providers.ts';

const SERIAL_DIGITS = 9;
const SIMULATION = /^(fail|slow)\+([a-z]+)@/i;

/** What a customer's e-mail address asks this provider to simulate (api-decisions.md section 4, test mode). */
const simulation = (provider: ProviderName, email: string | null): 'fail' | 'slow' | undefined => {
  const [, kind, named] = SIMULATION.exec(email ?? '') ?? [];
  const target = named?.toLowerCase();
  if (target !== provider && !(target === 'all' && kind?.toLowerCase() === 'fail')) return undefined;
  return kind?.toLowerCase() as 'fail' | 'slow';
};

/** Test mode's stand-in for a provider: it issues fake account numbers and calls nobody. */
export const sandboxProvider = (provider: ProviderName, random: RandomBytes): AccountIssuer => {
  const issue = (accountName: string): ReceivingAccount => ({
    accountNumber: nuban(SANDBOX_BANK_CODE, randomString('0123456789', SERIAL_DIGITS, random)),
    accountName,
    bankName: `Sandbox Bank (${provider})`,
    bankCode: null,
    providerId: null,
  });

  return {
    createAccount: async (customer) => {
      const simulated = simulation(provider, customer.email);
      if (simulated === 'fail') throw new ProviderRefusal('Duplicate identity document.');
      if (simulated === 'slow') throw new OutcomeUnknown(`${provider} did not answer in time.`);
      return issue(customer.name);
    },
    findAccount: async (customer) => issue(customer.name),
    closeAccount: async () => {},
    createPaymentAccount: async ({ reference, amount, accountName, expiresAt }) => ({
      account: issue(accountName),
      providerReference: reference,
      amountToPay: amount,
      expiresAt,
    }),
  };
};

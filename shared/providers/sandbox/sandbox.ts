import type { RandomBytes } from '#shared/platform/kernel/ids.ts';
import { randomString } from '#shared/platform/kernel/ids.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { OutcomeUnknown, ProviderRefusal } from '#shared/providers/domain/errors.ts';
import type { ProviderName, ReceivingAccount } from '#shared/providers/domain/provider.ts';
import type { AccountIssuer } from '#shared/providers/ports.ts';
import { nuban, SANDBOX_BANK_CODE } from './nuban.ts';

const SERIAL_DIGITS = 9;
const SIMULATION = /^(fail|slow|lost)\+([a-z]+)@/i;

/** Milliseconds that a slow provider takes: enough to send the same request again meanwhile. */
const SLOW = 3 * SECOND;

/** What the e-mail address of a customer or payer asks this provider to simulate (api-decisions.md section 4, test mode). */
const simulation = (provider: ProviderName, email: string | null): 'fail' | 'slow' | 'lost' | undefined => {
  const [, kind, named] = SIMULATION.exec(email ?? '') ?? [];
  const target = named?.toLowerCase();
  if (target !== provider && !(target === 'all' && kind?.toLowerCase() === 'fail')) return undefined;
  return kind?.toLowerCase() as 'fail' | 'slow' | 'lost';
};

/** Test mode's stand-in for a provider: it issues fake account numbers and calls nobody. */
export const sandboxProvider = (provider: ProviderName, random: RandomBytes, wait: Runtime['wait']): AccountIssuer => {
  const issue = (accountName: string): ReceivingAccount => ({
    accountNumber: nuban(SANDBOX_BANK_CODE, randomString('0123456789', SERIAL_DIGITS, random)),
    accountName,
    bankName: `Sandbox Bank (${provider})`,
    bankCode: null,
    providerId: null,
  });

  return {
    answersSlowly: ({ email }) => simulation(provider, email) === 'slow',
    createAccount: async (customer) => {
      const simulated = simulation(provider, customer.email);
      if (simulated === 'fail') throw new ProviderRefusal('Duplicate identity document.');
      if (simulated === 'slow') await wait(SLOW);
      if (simulated) throw new OutcomeUnknown(`${provider} did not answer in time.`);
      return issue(customer.name);
    },
    // What was lost never reached it.
    findAccount: async ({ name, email }) => (simulation(provider, email) === 'lost' ? undefined : issue(name)),
    closeAccount: async () => {},
    createPaymentAccount: async ({ reference, amount, accountName, payerEmail, expiresAt }) => {
      const simulated = simulation(provider, payerEmail);
      if (simulated === 'fail') throw new ProviderRefusal('The provider refuses.');
      if (simulated === 'slow') await wait(SLOW);
      return { account: issue(accountName), providerReference: reference, amountToPay: amount, expiresAt };
    },
  };
};

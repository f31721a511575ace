import type { RandomBytes } from '#shared/platform/kernel/ids.ts';
import { randomString } from '#shared/platform/kernel/ids.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { OutcomeUnknown, ProviderError } from '#shared/providers/domain/errors.ts';
import type { ProviderName, ReceivingAccount } from '#shared/providers/domain/provider.ts';
import type { SandboxFault } from '#shared/providers/domain/sandbox-fault.ts';
import type { AccountIssuer } from '#shared/providers/ports.ts';
import { buildNuban, SANDBOX_BANK_CODE } from './nuban.ts';

const SERIAL_DIGITS = 9;
const SIMULATION = /^(fail|slow|lost)\+([a-z]+)@/i;

/** Milliseconds that a slow provider takes: long enough to send the same request again meanwhile. */
const SLOW_MS = 3 * SECOND;

/** Milliseconds that a silent provider takes: longer than anybody waits. */
const SILENT_MS = 60 * SECOND;

const KIND_BY_FAULT = { slow: 'slow', refusing: 'fail', silent: 'silent' } as const;

/** Reads which fault of this provider the e-mail address of a customer or payer asks for; undefined for none. */
const readRequestedFault = (provider: ProviderName, email: string | null): 'fail' | 'slow' | 'lost' | undefined => {
  const [, kind, providerName] = SIMULATION.exec(email ?? '') ?? [];
  const target = providerName?.toLowerCase();
  if (target !== provider && !(target === 'all' && kind?.toLowerCase() === 'fail')) return undefined;
  return kind?.toLowerCase() as 'fail' | 'slow' | 'lost';
};

/** Creates the sandbox of a provider for test mode. It issues fake account numbers and calls nobody. */
export const sandboxProvider = (
  provider: ProviderName,
  random: RandomBytes,
  wait: Runtime['wait'],
  fault?: SandboxFault,
): AccountIssuer => {
  /** Finds the fault that an e-mail address asks for, else the one in the stage's settings. */
  const findFault = (email: string | null) => readRequestedFault(provider, email) ?? (fault && KIND_BY_FAULT[fault]);
  const simulateFault = async (kind: ReturnType<typeof findFault>, error: string): Promise<void> => {
    if (kind === 'fail') throw new ProviderError(error);
    if (kind === 'slow') await wait(SLOW_MS);
    if (kind === 'silent') {
      await wait(SILENT_MS);
      throw new OutcomeUnknown(`${provider} did not answer in time.`);
    }
  };
  const issue = (accountName: string): ReceivingAccount => ({
    accountNumber: buildNuban(SANDBOX_BANK_CODE, randomString('0123456789', SERIAL_DIGITS, random)),
    accountName,
    bankName: `Sandbox Bank (${provider})`,
    bankCode: null,
    providerId: null,
  });

  return {
    answersSlowly: ({ email }) => ['slow', 'silent'].includes(findFault(email) ?? ''),
    createAccount: async (customer) => {
      const kind = findFault(customer.email);
      await simulateFault(kind, 'Duplicate identity document.');
      // For a virtual account a `slow` address simulates an unknown outcome, too.
      if (kind === 'lost' || readRequestedFault(provider, customer.email)) {
        throw new OutcomeUnknown(`${provider} did not answer in time.`);
      }
      return issue(customer.name);
    },
    // `lost`: the request for the account never reached the provider, so there is no account to find.
    findAccount: async ({ name, email }) => (readRequestedFault(provider, email) === 'lost' ? undefined : issue(name)),
    closeAccount: async () => {},
    createPaymentAccount: async ({ reference, amount, accountName, payerEmail, expiresAt }) => {
      await simulateFault(findFault(payerEmail), 'The provider refuses.');
      return { account: issue(accountName), providerReference: reference, amountToPay: amount, expiresAt };
    },
  };
};

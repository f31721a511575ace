import type { Decision } from '#shared/platform/commit.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { OutcomeUnknown, ProviderError } from '#shared/providers/domain/errors.ts';
import type { Customer } from '#shared/providers/domain/provider.ts';
import type { Providers } from '#shared/providers/ports.ts';
import { activate, markPending, type OpeningVirtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';
import type { VirtualAccountOpener } from '#shared/virtual-accounts/ports.ts';
import { notEnabled, type Outcome, rejection, unanswered } from './open-live-accounts.ts';

export interface OpenTestAccountsDeps extends Pick<Runtime, 'now'> {
  readonly providers: Providers;
  readonly virtualAccounts: VirtualAccountOpener;
}

const issue = async (
  deps: OpenTestAccountsDeps,
  intent: OpeningVirtualAccount,
  customer: Customer,
): Promise<Outcome> => {
  const { provider, mode, id } = intent;
  try {
    const account = await deps.providers(mode, provider)?.createAccount(customer, id);
    if (!account) return { provider, account: undefined, failure: notEnabled(intent) };
    return { provider, account: activate(intent, account), failure: undefined };
  } catch (error) {
    if (error instanceof ProviderError)
      return { provider, account: undefined, failure: rejection(intent, error.message) };
    if (!(error instanceof OutcomeUnknown)) throw error;
    return { provider, account: markPending(intent, deps.now()), failure: unanswered(intent) };
  }
};

/** Decides to open test accounts. It calls no provider, so no intents are stored first. If a number is taken, the sandbox draws another. */
export const openTestAccounts = async (
  deps: OpenTestAccountsDeps,
  intents: readonly OpeningVirtualAccount[],
  customer: Customer,
): Promise<Decision<readonly Outcome[]>> => {
  const outcomes = await Promise.all(intents.map((account) => issue(deps, account, customer)));
  const accounts = outcomes.flatMap(({ account }) => account ?? []);
  return { result: outcomes, writes: deps.virtualAccounts.buildOpening(accounts) };
};

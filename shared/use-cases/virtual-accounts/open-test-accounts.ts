import { OutcomeUnknown, ProviderRefusal } from '#shared/domain/providers/errors.ts';
import type { Customer } from '#shared/domain/providers/provider.ts';
import type { SealedAnswer } from '#shared/domain/requests/idempotency.ts';
import { activate, markPending, type OpeningVirtualAccount } from '#shared/domain/virtual-accounts/virtual-account.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { Providers } from '#shared/ports/providers.ts';
import type { VirtualAccountOpener } from '#shared/ports/virtual-accounts.ts';
import { notEnabled, type Outcome, refusal, unanswered } from './open-live-accounts.ts';

export interface OpenTestAccountsDeps extends Pick<Runtime, 'now'> {
  readonly providers: Providers;
  readonly virtualAccounts: VirtualAccountOpener;
}

/** A number that is taken is drawn again. */
const MAX_DRAWS = 5;

const issue = async (
  deps: OpenTestAccountsDeps,
  wanted: OpeningVirtualAccount,
  customer: Customer,
): Promise<Outcome> => {
  const { provider, mode, id } = wanted;
  try {
    const account = await deps.providers(mode, provider)?.createAccount(customer, id);
    if (!account) return { provider, account: undefined, failure: notEnabled(wanted) };
    return { provider, account: activate(wanted, account), failure: undefined };
  } catch (error) {
    if (error instanceof ProviderRefusal)
      return { provider, account: undefined, failure: refusal(wanted, error.message) };
    if (!(error instanceof OutcomeUnknown)) throw error;
    return { provider, account: markPending(wanted, deps.now()), failure: unanswered(wanted) };
  }
};

/**
 * Opens test accounts. No provider is called or waited for, so no intents are stored first: accounts and answer are one transaction.
 * @throws AnsweredBefore for a used Idempotency-Key.
 */
export const openTestAccounts = async (
  deps: OpenTestAccountsDeps,
  intend: () => readonly OpeningVirtualAccount[],
  customer: Customer,
  answer: (outcomes: readonly Outcome[]) => SealedAnswer | undefined,
): Promise<readonly Outcome[]> => {
  for (let draw = 1; draw <= MAX_DRAWS; draw++) {
    const outcomes = await Promise.all(intend().map((wanted) => issue(deps, wanted, customer)));
    const accounts = outcomes.flatMap(({ account }) => account ?? []);
    if ((await deps.virtualAccounts.open(accounts, answer(outcomes))) === 'opened') return outcomes;
  }
  throw new Error(`No free test account number was found in ${MAX_DRAWS} draws.`);
};

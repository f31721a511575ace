import { Refusal } from '#shared/domain/kernel/errors.ts';
import { isProviderAway, ProviderRefusal, ProviderUnavailable } from '#shared/domain/providers/errors.ts';
import type { Customer, ProviderName } from '#shared/domain/providers/provider.ts';
import type { Claim, SealedAnswer } from '#shared/domain/requests/idempotency.ts';
import {
  activate,
  markPending,
  type OpeningVirtualAccount,
  type VirtualAccount,
} from '#shared/domain/virtual-accounts/virtual-account.ts';
import type { Metrics } from '#shared/observability/metrics.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { AccountIssuer, Providers } from '#shared/ports/providers.ts';
import type { IntentOutcome, VirtualAccountIntents } from '#shared/ports/requests.ts';
import { withTimeout } from '#shared/use-cases/kernel/with-timeout.ts';
import type { LandDeps } from '#shared/use-cases/money/land-money.ts';
import { matchWaiting } from '#shared/use-cases/money/match-waiting.ts';
import { type Begun, type BegunIntent, beginIntents, type Naming } from '#shared/use-cases/requests/begin-intents.ts';

export interface OpenLiveAccountsDeps extends LandDeps, Pick<Runtime, 'wait'> {
  readonly providers: Providers;
  readonly accountIntents: VirtualAccountIntents;
  readonly metrics: Metrics;
}

const BY_ID: Naming<OpeningVirtualAccount> = {
  idOf: ({ id }) => id,
  under: (id, intent) => ({ ...intent, id }),
};

/** The outcome at one provider: the account, if there is one, and why the business did not get it. */
export interface Outcome {
  readonly provider: ProviderName;
  readonly account: VirtualAccount | undefined;
  readonly message: string | undefined;
}

/** Why a provider that is not available in a mode opens no account. */
export const notAvailable = ({ provider, mode }: OpeningVirtualAccount): string =>
  `${provider} is not available in ${mode} mode.`;
/** Why an account is pending. */
export const unanswered = ({ provider }: OpeningVirtualAccount): string =>
  `${provider} did not answer in time. The account is pending; a webhook reports the outcome.`;

/** An outcome with its write; without one if an earlier request wrote it. */
type Asked = Outcome & { readonly write?: IntentOutcome<OpeningVirtualAccount, VirtualAccount> };

/** Milliseconds for each provider, all called at once: an answer takes less than 25 s. */
const PROVIDER_TIMEOUT = 20_000;

const refused = (before: OpeningVirtualAccount, message: string): Asked => ({
  provider: before.provider,
  account: undefined,
  message,
  write: { kind: 'dropped', before },
});

const ask = async (
  deps: OpenLiveAccountsDeps,
  issuer: AccountIssuer | undefined,
  { intent: before, isResumed }: BegunIntent<OpeningVirtualAccount>,
  customer: Customer,
): Promise<Asked> => {
  const { provider, id } = before;
  if (!issuer) return refused(before, notAvailable(before));
  try {
    const account = activate(before, await withTimeout(deps, PROVIDER_TIMEOUT, issuer.createAccount(customer, id)));
    return { provider, account, message: undefined, write: { kind: 'created', before, object: account } };
  } catch (error) {
    if (isProviderAway(error)) deps.metrics('provider_failures', 1);
    // An earlier request may have opened the account, so neither a refusal nor a time-out proves that there is none.
    if (error instanceof ProviderRefusal && !isResumed) return refused(before, error.message);
    if (error instanceof ProviderUnavailable && !isResumed) {
      return refused(before, `${provider} cannot be reached at the moment. Try again later.`);
    }
    if (!(error instanceof ProviderRefusal) && !isProviderAway(error)) throw error;
    const account = markPending(before, deps.now());
    return { provider, account, message: unanswered(before), write: { kind: 'created', before, object: account } };
  }
};

/** The outcome of an intent that an earlier request with the same Idempotency-Key, or the sweeper, has settled. */
const outcomeOf = (account: VirtualAccount): Asked => {
  const { provider, status } = account;
  return { provider, account, message: status === 'active' ? undefined : `The account at ${provider} is ${status}.` };
};

/** Writes the outcomes. An account that belongs to another virtual account already counts as a refusal. */
const settle = async (
  deps: OpenLiveAccountsDeps,
  asked: readonly Asked[],
  answer: (outcomes: readonly Outcome[]) => SealedAnswer | undefined,
): Promise<readonly Outcome[]> => {
  const writes = asked.flatMap(({ write }) => write ?? []);
  const settled = await deps.accountIntents.settle(writes, answer(asked));
  if (settled === 'settled') return asked;
  if (settled === 'conflict') throw new Refusal('service_unavailable', { retryAfterSeconds: 1 });
  const others = asked.map((one) =>
    one.write?.before.id === settled.taken
      ? refused(one.write.before, 'The provider has an account for this customer already.')
      : one,
  );
  return settle(deps, others, answer);
};

/**
 * Opens live accounts: stores the intents, calls all providers at once, then writes all outcomes with the answer in one transaction.
 * An account whose outcome is unknown becomes pending. A retry with the same Idempotency-Key continues with the same intents.
 * @throws what beginIntents throws; service_unavailable when the sweeper settled an intent first.
 */
export const openLiveAccounts = async (
  deps: OpenLiveAccountsDeps,
  wanted: readonly OpeningVirtualAccount[],
  customer: Customer,
  claim: Omit<Claim, 'intents'> | undefined,
  answer: (outcomes: readonly Outcome[]) => SealedAnswer | undefined,
): Promise<readonly Outcome[]> => {
  const issuers = new Map(wanted.map(({ mode, provider }) => [provider, deps.providers(mode, provider)]));
  for (const issuer of issuers.values()) issuer?.prefetchHealth?.();
  const begun = await beginIntents(deps.accountIntents, BY_ID, wanted, claim);
  const work = async (one: Begun<OpeningVirtualAccount, VirtualAccount>): Promise<Asked> =>
    one.kind === 'begun' ? ask(deps, issuers.get(one.intent.provider), one, customer) : outcomeOf(one.object);
  const outcomes = await settle(deps, await Promise.all(begun.map(work)), answer);
  const payees = outcomes.flatMap(({ account }) =>
    account?.status === 'active'
      ? [{ provider: account.provider, reference: account.id, accountNumber: account.account.accountNumber }]
      : [],
  );
  if (payees.length > 0) await matchWaiting(deps, payees);
  return outcomes;
};

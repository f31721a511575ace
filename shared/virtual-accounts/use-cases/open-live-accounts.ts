import { type MatchWaitingDeps, matchWaiting } from '#shared/payments/use-cases/match-waiting.ts';
import type { Decided, Decision } from '#shared/platform/commit.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import type { Requester } from '#shared/platform/kernel/tenant.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { OutcomePending, ProviderBusy, ProviderError } from '#shared/providers/domain/errors.ts';
import type { ProviderFailureCode } from '#shared/providers/domain/failure-code.ts';
import type { Customer, ProviderName, ReceivingAccount } from '#shared/providers/domain/provider.ts';
import { providerSentence } from '#shared/providers/domain/provider-sentence.ts';
import type { IntentOutcome } from '#shared/providers/intent-ports.ts';
import type { QuotaMeter } from '#shared/providers/ports.ts';
import { type AskProvidersDeps, isOurFault, PROVIDER_TIMEOUT } from '#shared/providers/use-cases/ask-providers.ts';
import {
  endClaim,
  type OpenedIntent,
  type OpeningKind,
  openIntents,
  type PreparedClaim,
} from '#shared/providers/use-cases/open-intents.ts';
import { busySentence } from '#shared/providers/use-cases/provider-busy.ts';
import {
  activate,
  markPending,
  type OpeningVirtualAccount,
  type VirtualAccount,
} from '#shared/virtual-accounts/domain/virtual-account.ts';
import type { VirtualAccountIntents } from '#shared/virtual-accounts/ports.ts';

export interface OpenLiveAccountsDeps extends MatchWaitingDeps, AskProvidersDeps {
  readonly accountIntents: VirtualAccountIntents;
  readonly quotaMeter: QuotaMeter;
}

type AccountKind = OpeningKind<OpeningVirtualAccount, VirtualAccount, ReceivingAccount, never>;
type OpenedAccount = OpenedIntent<OpeningVirtualAccount, VirtualAccount, ReceivingAccount>;

const kindFor = (deps: OpenLiveAccountsDeps, asker: Requester, customer: Customer): AccountKind => ({
  intents: deps.accountIntents,
  readId: ({ id }) => id,
  resumeIntent: (id, intent) => ({ ...intent, id }),
  findProvider: ({ provider }) => provider,
  admit: async (intent) => {
    const { mode, provider } = intent;
    const isEnabled = deps.providers(mode, provider) !== undefined;
    const reason = isEnabled ? await deps.quotaMeter.charge(asker, provider, 'creations') : 'not_enabled';
    return reason ? { kind: 'not_admitted', intent, reason } : { kind: 'begun', intent, isResumed: false };
  },
  open: (issuer, { id }) => issuer.createAccount(customer, id),
  timeFor: () => PROVIDER_TIMEOUT,
  // Each requested provider is asked on its own.
  moveOn: async () => undefined,
});

/** The accounts that a request asks for, one per provider, and their customer. */
interface AccountsRequest {
  readonly intents: readonly OpeningVirtualAccount[];
  readonly customer: Customer;
  /** Identifies a retry of the request; undefined without an Idempotency-Key. */
  readonly claimed: PreparedClaim | undefined;
}

/** The reason why the business got no account of a provider, for programs and people. */
export interface Failure {
  readonly code: ProviderFailureCode;
  readonly message: string;
}

/** The outcome at one provider: the account, if there is one, and the failure that the business is told. */
export interface Outcome {
  readonly provider: ProviderName;
  readonly account: VirtualAccount | undefined;
  readonly failure: Failure | undefined;
  /** Set if the provider was not asked and the same request may succeed after `afterSeconds`. */
  readonly retry?: { readonly cause: 'provider_busy' | 'service_unavailable'; readonly afterSeconds: number };
}

/** Makes the failure for a provider that the stage has not enabled. */
export const notEnabled = ({ provider, mode }: Pick<OpeningVirtualAccount, 'provider' | 'mode'>): Failure => ({
  code: 'provider_not_enabled',
  message: `${provider} is not enabled for ${mode} mode here.`,
});
/** Makes the failure for a provider's rejection, in our words. */
export const rejection = ({ mode }: Pick<OpeningVirtualAccount, 'mode'>, message: string): Failure => ({
  code: 'provider_refused',
  message: providerSentence(mode, message),
});
/** Makes the failure for a pending account: the provider did not answer, or answers later. */
export const unanswered = ({ provider, mode }: OpeningVirtualAccount, error?: unknown): Failure => {
  const why = error instanceof OutcomePending ? 'validates the customer first' : 'did not answer in time';
  const message = `${provider} ${why}. The account is pending; a webhook reports the outcome.`;
  return { code: 'outcome_unknown', message: providerSentence(mode, message) };
};

/** An outcome and its write, if there is one. */
type AccountOutcome = Outcome & {
  readonly write?: IntentOutcome<OpeningVirtualAccount, VirtualAccount>;
  /** The intent, if this request could not ask the provider, but an earlier request may have opened the account. */
  readonly remainingIntent?: OpeningVirtualAccount;
};

const toRejectedOutcome = (before: OpeningVirtualAccount, failure: Failure): AccountOutcome => ({
  provider: before.provider,
  account: undefined,
  failure,
  write: { kind: 'dropped', before },
});

const toTakenOutcome = (before: OpeningVirtualAccount): AccountOutcome =>
  toRejectedOutcome(before, rejection(before, 'The provider has an account for this customer already.'));

const toBusyOutcome = (intent: OpeningVirtualAccount, { retryAfterSeconds }: ProviderBusy): AccountOutcome => ({
  provider: intent.provider,
  account: undefined,
  failure: { code: 'provider_busy', message: busySentence(intent) },
  retry: { cause: 'provider_busy', afterSeconds: retryAfterSeconds },
});

const toNotReadyOutcome = (provider: ProviderName): AccountOutcome => ({
  provider,
  account: undefined,
  failure: {
    code: 'provider_unreachable',
    message: `${provider} was not asked, because the service is not ready. Try again in a moment.`,
  },
  retry: { cause: 'service_unavailable', afterSeconds: 1 },
});

/** Returns the outcome if, according to the error, the provider was not asked, and may be asked soon. Undefined for other errors. */
const toPostponedOutcome = (intent: OpeningVirtualAccount, error: unknown): AccountOutcome | undefined => {
  if (error instanceof ProviderBusy) return toBusyOutcome(intent, error);
  return isOurFault(error) ? toNotReadyOutcome(intent.provider) : undefined;
};

/** Makes the account pending, because it may have been opened. */
const toPendingOutcome = (
  { now }: Pick<Runtime, 'now'>,
  before: OpeningVirtualAccount,
  error?: unknown,
): AccountOutcome => {
  const account = markPending(before, now());
  const write = { kind: 'created', before, object: account } as const;
  return { provider: before.provider, account, failure: unanswered(before, error), write };
};

/** Returns the outcome of a provider that opened no account. */
const toNotOpenedOutcome = (
  deps: OpenLiveAccountsDeps,
  { intent: before, error, mayExist }: Extract<OpenedAccount, { kind: 'not_opened' }>,
): AccountOutcome => {
  const later = toPostponedOutcome(before, error);
  // If the account may exist, its intent stays for the next try or the sweeper.
  if (later) return mayExist ? { ...later, remainingIntent: before } : { ...later, write: { kind: 'dropped', before } };
  if (mayExist) return toPendingOutcome(deps, before, error);
  if (error instanceof ProviderError) return toRejectedOutcome(before, rejection(before, error.message));
  const message = `${before.provider} cannot be reached at the moment. Try again later.`;
  return toRejectedOutcome(before, { code: 'provider_unreachable', message });
};

/** Returns the outcome of an intent that an earlier request with the same Idempotency-Key, or the sweeper, has settled. */
const toSettledOutcome = (account: VirtualAccount): AccountOutcome => {
  const { provider, status } = account;
  if (status === 'active') return { provider, account, failure: undefined };
  const code = status === 'pending' ? 'outcome_unknown' : 'provider_refused';
  return { provider, account, failure: { code, message: `The account at ${provider} is ${status}.` } };
};

const toOutcome = (deps: OpenLiveAccountsDeps, opened: OpenedAccount): AccountOutcome => {
  if (opened.kind === 'settled') return toSettledOutcome(opened.object);
  if (opened.kind === 'not_opened') return toNotOpenedOutcome(deps, opened);
  const { intent: before } = opened;
  const { provider } = before;
  if (opened.kind === 'not_admitted') {
    const { reason } = opened;
    return reason === 'not_enabled'
      ? { provider, account: undefined, failure: notEnabled(before) }
      : toBusyOutcome(before, reason);
  }
  const account = activate(before, opened.issued);
  return { provider, account, failure: undefined, write: { kind: 'created', before, object: account } };
};

/** Whether a retry may change the outcome: no account was opened, and a provider that could not be asked may be asked soon. */
export const isWorthRetrying = (outcomes: readonly Outcome[]): boolean =>
  outcomes.every(({ account }) => account?.status !== 'active') && outcomes.some(({ retry }) => retry);

/** Whether an intent of this request, or its account, remains for a retry. */
const isIntentLeft = (opened: OpenedAccount, outcome: AccountOutcome | undefined): boolean =>
  opened.kind === 'settled' || (opened.kind !== 'not_admitted' && outcome?.write?.kind !== 'dropped');

/**
 * Lets a retry with the same Idempotency-Key begin at once, if it is worthwhile. Matches money that came before the accounts were known.
 * @throws ApiError service_unavailable if a dependency of ours prevented all calls to providers.
 */
const finish = async (
  deps: OpenLiveAccountsDeps,
  opened: readonly OpenedAccount[],
  outcomes: readonly AccountOutcome[],
  claimed: PreparedClaim | undefined,
): Promise<void> => {
  if (isWorthRetrying(outcomes)) {
    const ids = opened.map((account) => (account.kind === 'settled' ? account.object.id : account.intent.id));
    const isAnyLeft = opened.some((account, i) => isIntentLeft(account, outcomes[i]));
    await endClaim(deps.accountIntents, claimed, ids, isAnyLeft);
  }
  if (outcomes.every(({ retry }) => retry?.cause === 'service_unavailable')) {
    throw new ApiError('service_unavailable', { retryAfterSeconds: 1 });
  }
  const payees = outcomes.flatMap(({ account }) =>
    account?.status === 'active' && account.mode === 'live'
      ? [{ provider: account.provider, reference: account.id, accountNumber: account.account.accountNumber }]
      : [],
  );
  if (payees.length > 0) await matchWaiting(deps, payees);
};

/**
 * Opens live accounts, and test accounts whose provider answers slowly: stores the intents, calls all providers at the same time, then
 * decides to write all outcomes. An account with an unknown outcome becomes pending. If the number of an issued account already belongs to
 * another virtual account, its intent is dropped, and the business is told of a rejection. A retry with the same Idempotency-Key continues
 * with the same intents.
 * @throws what openIntents throws; ApiError service_unavailable if a dependency of ours prevented all calls to providers, or the sweeper
 * settled an intent first.
 */
export const openLiveAccounts = async (
  deps: OpenLiveAccountsDeps,
  asker: Requester,
  { intents, customer, claimed }: AccountsRequest,
): Promise<Decided<readonly Outcome[]>> => {
  const opened = await openIntents(deps, kindFor(deps, asker, customer), intents, claimed);
  if ('kind' in opened) return opened;
  const results = opened.map((account) => toOutcome(deps, account));
  // If a retry is not worthwhile, no retry will ask about a remaining intent. Make its account pending, so that a look-up settles it.
  const settled = isWorthRetrying(results)
    ? results
    : results.map((outcome) => (outcome.remainingIntent ? toPendingOutcome(deps, outcome.remainingIntent) : outcome));

  const decide = (outcomes: readonly AccountOutcome[]): Decision<readonly Outcome[]> => ({
    result: outcomes,
    writes: deps.accountIntents.buildSettlingWrites(outcomes.flatMap(({ write }) => write ?? [])),
    again: async (reason) => {
      if (typeof reason === 'string' || !('taken' in reason)) {
        throw new ApiError('service_unavailable', { retryAfterSeconds: 1 });
      }
      return decide(
        outcomes.map((outcome) =>
          outcome.write?.before.id === reason.taken ? toTakenOutcome(outcome.write.before) : outcome,
        ),
      );
    },
    afterwards: () => finish(deps, opened, outcomes, claimed),
  });
  return decide(settled);
};

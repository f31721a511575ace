import type { Decided } from '#shared/platform/commit.ts';
import { invalid } from '#shared/platform/kernel/errors.ts';
import type { Caller } from '#shared/platform/kernel/tenant.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import type { KeyedRequest } from '#shared/platform/requests/idempotency.ts';
import { unmetNeeds } from '#shared/providers/domain/customer-needs.ts';
import type { ProviderFailureCode } from '#shared/providers/domain/failure-code.ts';
import type { Customer, ProviderName } from '#shared/providers/domain/provider.ts';
import type { FindNeeds } from '#shared/providers/ports.ts';
import { INTENT_LEASE, prepareClaim } from '#shared/providers/use-cases/open-intents.ts';
import type { ActiveVirtualAccount, OpeningVirtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';
import type { VirtualAccountOpener } from '#shared/virtual-accounts/ports.ts';
import { isWorthRetrying, type OpenLiveAccountsDeps, type Outcome, openLiveAccounts } from './open-live-accounts.ts';
import { openTestAccounts } from './open-test-accounts.ts';

export interface CreateVirtualAccountsDeps extends OpenLiveAccountsDeps, Pick<Runtime, 'now' | 'newId'> {
  readonly virtualAccounts: VirtualAccountOpener;
  readonly needsOf: FindNeeds;
}

export interface CreateVirtualAccountsInput {
  readonly providers: readonly ProviderName[];
  readonly customer: Customer;
  readonly metadata: string | null;
  /** Identifies a retry of the request; undefined without an Idempotency-Key. */
  readonly keyed: KeyedRequest | undefined;
}

/**
 * A provider's failure to open an account. `virtual_account_id` is set if we have stored the account: it is pending, or it was
 * pending until it was settled.
 */
export type CreationError = {
  readonly provider: ProviderName;
  readonly message: string;
  readonly code: ProviderFailureCode;
  readonly virtual_account_id?: string;
};

/** The opened accounts, and the failures of the other providers. */
export interface Creation {
  readonly opened: readonly ActiveVirtualAccount[];
  readonly errors: readonly CreationError[];
  /** Set if no account was opened, and a provider was not asked. The same request may open one after this number of seconds. */
  readonly retryAfterSeconds: number | undefined;
}

/** Summarises the outcomes at all providers of a request. */
export const toCreation = (outcomes: readonly Outcome[]): Creation => ({
  opened: outcomes.flatMap(({ account }) => (account?.status === 'active' ? [account] : [])),
  errors: outcomes.flatMap(({ provider, failure, account }) =>
    failure === undefined
      ? []
      : [
          {
            provider,
            message: failure.message,
            code: failure.code,
            ...(account && { virtual_account_id: account.id }),
          },
        ],
  ),
  retryAfterSeconds: isWorthRetrying(outcomes)
    ? Math.max(...outcomes.map(({ retry }) => retry?.afterSeconds ?? 0))
    : undefined,
});

/**
 * Opens an account at each provider at the same time. One failure does not affect the others (service-description.md section 4.2).
 * @throws ApiError validation_failed if a provider needs more data, before any is called; in live mode what openLiveAccounts throws.
 */
export const createVirtualAccounts = async (
  deps: CreateVirtualAccountsDeps,
  caller: Caller,
  { providers, customer, metadata, keyed }: CreateVirtualAccountsInput,
): Promise<Decided<readonly Outcome[]>> => {
  const unmet = providers.flatMap((name) => unmetNeeds(name, deps.needsOf(name), caller.mode, customer));
  if (unmet.length > 0) throw invalid(...unmet);

  const leaseUntil = deps.now() + INTENT_LEASE;
  const intend = (provider: ProviderName): OpeningVirtualAccount => ({
    id: deps.newId('va'),
    businessId: caller.businessId,
    mode: caller.mode,
    provider,
    customerName: customer.name,
    customerPhone: customer.phone,
    customerEmail: customer.email,
    metadata,
    createdAt: deps.now(),
    version: 0,
    status: 'opening',
    settleAt: leaseUntil,
  });
  const intents = providers.map(intend);
  return caller.mode === 'test' && !providers.some((name) => deps.providers('test', name)?.answersSlowly?.(customer))
    ? openTestAccounts(deps, intents, customer)
    : openLiveAccounts(deps, caller, { intents, customer, claimed: prepareClaim(keyed, leaseUntil) });
};

import { invalid } from '#shared/domain/errors.ts';
import type { SealedAnswer } from '#shared/domain/idempotency.ts';
import { type Customer, type ProviderName, unmetNeeds } from '#shared/domain/provider.ts';
import type { Tenant } from '#shared/domain/tenant.ts';
import {
  type ActiveVirtualAccount,
  firstSettleAt,
  type PendingVirtualAccount,
  type VirtualAccount,
} from '#shared/domain/virtual-account.ts';
import {
  type Nature,
  OutcomeUnknown,
  ProviderRefusal,
  type Providers,
  type VirtualAccountOpener,
} from '#shared/ports.ts';

export interface CreateVirtualAccountsDeps extends Pick<Nature, 'now' | 'newId'> {
  readonly providers: Providers;
  readonly virtualAccounts: VirtualAccountOpener;
}

export interface CreateVirtualAccountsInput {
  readonly providers: readonly ProviderName[];
  readonly customer: Customer;
  readonly metadata: string | null;
}

/** What came of asking every provider: the accounts that are open, and who failed, in words for the business. */
export interface Creation {
  readonly opened: readonly ActiveVirtualAccount[];
  readonly errors: readonly { readonly provider: ProviderName; readonly message: string }[];
}

type Outcome = { readonly provider: ProviderName } & (
  | { readonly account: ActiveVirtualAccount }
  | { readonly message: string; readonly account?: PendingVirtualAccount }
);

/** A number that is taken is drawn again; five times is beyond bad luck. */
const DRAWS = 5;

/**
 * Opens an account at each provider, all asked at once; the failure of one costs no other (service description 4.2).
 * One whose outcome is unknown is kept as pending and settled later.
 * @throws validation_failed when a provider lacks data, before any is asked; AnsweredBefore for a used Idempotency-Key.
 */
export const createVirtualAccounts = async (
  deps: CreateVirtualAccountsDeps,
  tenant: Tenant,
  input: CreateVirtualAccountsInput,
  answer: (creation: Creation) => SealedAnswer | undefined,
): Promise<Creation> => {
  const { customer } = input;
  const unmet = input.providers.flatMap((name) => unmetNeeds(name, tenant.mode, customer));
  if (unmet.length > 0) throw invalid(...unmet);

  const ask = async (provider: ProviderName): Promise<Outcome> => {
    const adapter = deps.providers(tenant.mode, provider);
    if (!adapter) return { provider, message: `${provider} is not available in ${tenant.mode} mode.` };
    const createdAt = deps.now();
    const common = {
      id: deps.newId('va'),
      businessId: tenant.businessId,
      mode: tenant.mode,
      provider,
      customerName: customer.name,
      customerPhone: customer.phone,
      customerEmail: customer.email,
      metadata: input.metadata,
      createdAt,
      version: 1,
    };
    try {
      const account = await adapter.createAccount(customer, common.id);
      return { provider, account: { ...common, status: 'active', account } };
    } catch (error) {
      if (error instanceof ProviderRefusal) return { provider, message: error.message };
      if (!(error instanceof OutcomeUnknown)) throw error;
      const message = `${provider} did not answer in time. The account is pending; a webhook tells its outcome.`;
      return { provider, message, account: { ...common, status: 'pending', settleAt: firstSettleAt(createdAt) } };
    }
  };

  for (let draw = 1; draw <= DRAWS; draw++) {
    const outcomes = await Promise.all(input.providers.map(ask));
    const accounts = outcomes.map(({ account }) => account).filter((account) => account !== undefined);
    const creation: Creation = {
      opened: accounts.filter((account) => account.status === 'active'),
      errors: outcomes.flatMap((outcome) =>
        'message' in outcome ? [{ provider: outcome.provider, message: outcome.message }] : [],
      ),
    };
    const kept: readonly VirtualAccount[] = accounts;
    if ((await deps.virtualAccounts.open(kept, answer(creation))) === 'opened') return creation;
  }
  throw new Error('Every account number that was drawn is taken.');
};

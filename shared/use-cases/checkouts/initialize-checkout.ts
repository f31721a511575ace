import type * as z from 'zod/mini';
import type { BusinessProfile } from '#shared/domain/businesses/profile.ts';
import { type Checkout, type CreatedWith, givenFields } from '#shared/domain/checkouts/checkout.ts';
import type { FormerHolder } from '#shared/domain/checkouts/merchant-reference.ts';
import { beginCheckout, type OpeningCheckout } from '#shared/domain/checkouts/opening-checkout.ts';
import { returnUrlErrors } from '#shared/domain/checkouts/return-url.ts';
import { invalid } from '#shared/domain/kernel/errors.ts';
import { newCheckoutReference } from '#shared/domain/kernel/ids.ts';
import type { Kobo } from '#shared/domain/kernel/money.ts';
import type { Asker, Caller } from '#shared/domain/kernel/tenant.ts';
import { SECOND } from '#shared/domain/kernel/time.ts';
import { isUnanswered, ProviderRefusal, requireProvider } from '#shared/domain/providers/errors.ts';
import type { ProviderName } from '#shared/domain/providers/provider.ts';
import type { KeyedRequest } from '#shared/domain/requests/idempotency.ts';
import type { BusinessReader } from '#shared/ports/businesses.ts';
import type { CheckoutOpener } from '#shared/ports/checkouts.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { IssuedPaymentAccount, ProviderAllowance } from '#shared/ports/providers.ts';
import type { Decided, Decision } from '#shared/use-cases/kernel/commit.ts';
import { providerBusy } from '#shared/use-cases/kernel/provider-busy.ts';
import { providerFailed } from '#shared/use-cases/kernel/provider-failed.ts';
import { claiming, INTENT_LEASE } from '#shared/use-cases/requests/begin-intents.ts';
import { type OpenLiveCheckoutDeps, openLiveCheckout } from './open-live-checkout.ts';
import { takingMerchantReference } from './take-merchant-reference.ts';

export interface InitializeCheckoutDeps extends OpenLiveCheckoutDeps, Pick<Runtime, 'randomBytes'> {
  readonly businesses: BusinessReader;
  readonly checkouts: CheckoutOpener;
  readonly defaultProvider: ProviderName;
}

export interface InitializeCheckoutInput extends z.infer<typeof givenFields> {
  readonly createdWith: CreatedWith;
  /** Kobo. */
  readonly amount: Kobo;
  readonly provider: ProviderName | null;
  /** Seconds. */
  readonly expiresIn: number;
  /** Identifies a retry of the request; undefined without an Idempotency-Key. */
  readonly keyed: KeyedRequest | undefined;
}

const SHORTEST_LIVE_EXPIRY = 300;

/** Asks the sandbox for an account. @throws the refusal provider_error. */
const issue = async (deps: InitializeCheckoutDeps, wanted: OpeningCheckout): Promise<IssuedPaymentAccount> => {
  try {
    const issuer = requireProvider(deps.providers('test', wanted.provider));
    return await issuer.createPaymentAccount(wanted);
  } catch (error) {
    if (error instanceof ProviderRefusal || isUnanswered(error)) throw providerFailed(wanted, error);
    throw error;
  }
};

/**
 * Opens a test checkout. No provider is called or waited for, so no intent is stored first; each try draws another account number. Browsers have an allowance here as well: every checkout ends with a webhook at the business's receivers.
 * @throws the refusals provider_busy, provider_error.
 */
const openTestCheckout = async (
  deps: InitializeCheckoutDeps,
  asker: Asker,
  wanted: OpeningCheckout,
): Promise<Decision<Checkout>> => {
  if (asker.kind === 'public') {
    const used = await deps.providerAllowance.charge(asker, wanted.provider, 'creations');
    if (used) throw providerBusy(wanted, used);
  }
  const checkout = beginCheckout(wanted, await issue(deps, wanted));
  return { result: checkout, writes: deps.checkouts.opening(checkout, wanted.formerHolder) };
};

/** An allowance that is charged once for one request, however often the request starts over. */
const chargingOnce = (allowance: ProviderAllowance): ProviderAllowance => {
  let charged: ReturnType<ProviderAllowance['charge']> | undefined;
  return {
    charge: (...work) => {
      charged ??= allowance.charge(...work);
      return charged;
    },
  };
};

/** What is needed of the business's profile. It is read only where the caller does not bring it: websites are for browsers that name one. */
const profileFor = async (
  { businesses }: InitializeCheckoutDeps,
  { businessId, kind, displayName }: Caller,
  { callbackUrl, cancelUrl }: InitializeCheckoutInput,
): Promise<Pick<BusinessProfile, 'displayName' | 'websites'>> => {
  const needsWebsites = kind === 'public' && (callbackUrl !== null || cancelUrl !== null);
  if (!needsWebsites) return { displayName, websites: [] };
  const business = await businesses.find(businessId);
  if (!business) throw new Error('The business of a key was not found.');
  return business.profile;
};

/** Refuses what the mode or the kind of the key does not allow. @throws the refusal validation_failed. */
const ensureAllowed = (caller: Caller, input: InitializeCheckoutInput, websites: readonly string[]): void => {
  const tooShort = caller.mode === 'live' && input.expiresIn < SHORTEST_LIVE_EXPIRY;
  const errors = [
    ...(tooShort ? [{ field: 'expires_in', message: 'expires_in must be at least 300 seconds in live mode.' }] : []),
    ...returnUrlErrors({ callback_url: input.callbackUrl, cancel_url: input.cancelUrl }, caller, websites),
  ];
  if (errors.length > 0) throw invalid(...errors);
};

/**
 * Starts a checkout: a payment account, at the requested provider or the stage's default.
 * @throws the refusals validation_failed, provider_error; what takingMerchantReference throws; in live
 * mode, and where the sandbox answers slowly, what openLiveCheckout throws.
 */
export const initializeCheckout = async (
  deps: InitializeCheckoutDeps,
  caller: Caller,
  input: InitializeCheckoutInput,
): Promise<Decided<Checkout>> => {
  const { displayName, websites } = await profileFor(deps, caller, input);
  ensureAllowed(caller, input, websites);
  const createdAt = deps.now();
  const leaseUntil = createdAt + INTENT_LEASE;
  const intend = (formerHolder: FormerHolder | null): OpeningCheckout => ({
    reference: newCheckoutReference(deps.randomBytes),
    businessId: caller.businessId,
    mode: caller.mode,
    createdWith: input.createdWith,
    provider: input.provider ?? deps.defaultProvider,
    amount: input.amount,
    ...givenFields.parse(input),
    createdAt,
    expiresAt: createdAt + input.expiresIn * SECOND,
    version: 0,
    status: 'opening',
    settleAt: leaseUntil,
    accountName: displayName,
    formerHolder,
  });
  const charging = { ...deps, providerAllowance: chargingOnce(deps.providerAllowance) };
  const provider = deps.providers(caller.mode, input.provider ?? deps.defaultProvider);
  const isAtOnce = caller.mode === 'test' && !provider?.answersSlowly?.({ email: input.payerEmail });
  return takingMerchantReference(deps, (former) =>
    isAtOnce
      ? openTestCheckout(charging, caller, intend(former))
      : openLiveCheckout(charging, caller, intend(former), claiming(input.keyed, leaseUntil)),
  );
};

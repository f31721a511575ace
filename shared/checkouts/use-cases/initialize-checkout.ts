import type * as z from 'zod/mini';
import type { BusinessProfile } from '#shared/businesses/domain/profile.ts';
import type { BusinessReader } from '#shared/businesses/ports.ts';
import { latestAttempt, newAttempt } from '#shared/checkouts/domain/attempt.ts';
import type { Checkout, CreatedWith } from '#shared/checkouts/domain/checkout.ts';
import { givenFields } from '#shared/checkouts/domain/given-fields.ts';
import type { FormerHolder } from '#shared/checkouts/domain/merchant-reference.ts';
import {
  askedAbout,
  beginCheckout,
  type OpeningCheckout,
  wantedOf,
} from '#shared/checkouts/domain/opening-checkout.ts';
import { returnUrlErrors } from '#shared/checkouts/domain/return-url.ts';
import type { CheckoutOpener } from '#shared/checkouts/ports.ts';
import type { Decided, Decision } from '#shared/platform/commit.ts';
import { invalid } from '#shared/platform/kernel/errors.ts';
import { newCheckoutReference } from '#shared/platform/kernel/ids.ts';
import type { Kobo } from '#shared/platform/kernel/money.ts';
import type { Asker, Caller } from '#shared/platform/kernel/tenant.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import type { KeyedRequest } from '#shared/platform/requests/idempotency.ts';
import { isUnanswered, ProviderRefusal, requireProvider } from '#shared/providers/domain/errors.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { IssuedPaymentAccount, ProviderAllowance } from '#shared/providers/ports.ts';
import { claiming, INTENT_LEASE } from '#shared/providers/use-cases/open-intents.ts';
import { providerBusy } from '#shared/providers/use-cases/provider-busy.ts';
import { providerFailed } from '#shared/providers/use-cases/provider-failed.ts';
import { type OpenLiveCheckoutDeps, openLiveCheckout } from './open-live-checkout.ts';
import { takingMerchantReference } from './take-merchant-reference.ts';

export interface InitializeCheckoutDeps extends OpenLiveCheckoutDeps, Pick<Runtime, 'randomBytes' | 'pause'> {
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

/** Seconds. */
const SHORTEST_LIVE_EXPIRY = 300;

/** Gets an account from the sandbox. @throws the refusal provider_error. */
const issueTestAccount = async (
  deps: InitializeCheckoutDeps,
  wanted: OpeningCheckout,
): Promise<IssuedPaymentAccount> => {
  try {
    const issuer = requireProvider(deps.providers('test', latestAttempt(wanted).provider));
    return await issuer.createPaymentAccount(wantedOf(wanted));
  } catch (error) {
    if (error instanceof ProviderRefusal || isUnanswered(error)) throw providerFailed(askedAbout(wanted), error);
    throw error;
  }
};

/**
 * Opens a test checkout. No provider is called or waited for, so no intent is stored first; each try draws another account number. Browsers
 * have an allowance here as well, because every checkout ends with a webhook at the business's receivers.
 * @throws the refusals provider_busy, provider_error.
 */
const openTestCheckout = async (
  deps: InitializeCheckoutDeps,
  asker: Asker,
  wanted: OpeningCheckout,
): Promise<Decision<Checkout>> => {
  if (asker.kind === 'public') {
    const used = await deps.providerAllowance.charge(asker, latestAttempt(wanted).provider, 'creations');
    if (used) throw providerBusy(askedAbout(wanted), used);
  }
  const checkout = beginCheckout(wanted, await issueTestAccount(deps, wanted), deps.now());
  return { result: checkout, writes: deps.checkouts.opening(checkout, wanted.formerHolder) };
};

/** The allowance as one request charges it: once, however often the request decides again. */
const chargingOnce = (allowance: ProviderAllowance): ProviderAllowance => {
  let charged: ReturnType<ProviderAllowance['charge']> | undefined;
  return {
    charge: (...work) => {
      charged ??= allowance.charge(...work);
      return charged;
    },
  };
};

/** The business's name and websites. It is read only for a browser's return URLs, which must be on its websites: the key has the name. */
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
 * Decides to start a checkout with a payment account at the requested provider or the stage's default. A live one stores its intent and calls
 * the provider before it returns; the checkout itself stands in the decision's writes.
 * @throws the refusals validation_failed, provider_error; those of takingMerchantReference; in live mode, and if the sandbox answers slowly,
 * those of openLiveCheckout.
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
  /** The checkout to open, under a new reference. `formerHolder`: the checkout that its merchant reference is taken from. */
  const intend = (formerHolder: FormerHolder | null): OpeningCheckout => {
    const reference = newCheckoutReference(deps.randomBytes);
    const time = { openedAt: createdAt, expiresAt: createdAt + input.expiresIn * SECOND };
    return {
      reference,
      businessId: caller.businessId,
      mode: caller.mode,
      createdWith: input.createdWith,
      attempts: [newAttempt(input.provider ?? deps.defaultProvider, reference, time)],
      amount: input.amount,
      ...givenFields.parse(input),
      createdAt,
      version: 0,
      status: 'opening',
      settleAt: leaseUntil,
      accountName: displayName,
      formerHolder,
    };
  };
  const chargingDeps = { ...deps, providerAllowance: chargingOnce(deps.providerAllowance) };
  const provider = deps.providers(caller.mode, input.provider ?? deps.defaultProvider);
  // A sandbox that plays a slow provider goes the way of live mode, with an intent.
  const isAtOnce = caller.mode === 'test' && !provider?.answersSlowly?.({ email: input.payerEmail });
  return takingMerchantReference(deps, (former) =>
    isAtOnce
      ? openTestCheckout(chargingDeps, caller, intend(former))
      : openLiveCheckout(chargingDeps, caller, intend(former), claiming(input.keyed, leaseUntil)),
  );
};

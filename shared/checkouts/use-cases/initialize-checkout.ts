import type * as z from 'zod/mini';
import type { BusinessProfile } from '#shared/businesses/domain/profile.ts';
import type { BusinessReader } from '#shared/businesses/ports.ts';
import { latestAttempt, newAttempt } from '#shared/checkouts/domain/attempt.ts';
import type { Checkout, CreatedWith } from '#shared/checkouts/domain/checkout.ts';
import { merchantFields } from '#shared/checkouts/domain/merchant-fields.ts';
import type { FormerOwner } from '#shared/checkouts/domain/merchant-reference.ts';
import {
  beginCheckout,
  moveOn,
  type OpeningCheckout,
  toAccountRequest,
} from '#shared/checkouts/domain/opening-checkout.ts';
import { returnUrlErrors } from '#shared/checkouts/domain/return-url.ts';
import type { CheckoutOpener } from '#shared/checkouts/ports.ts';
import type { Decided, Decision } from '#shared/platform/commit.ts';
import { invalid } from '#shared/platform/kernel/errors.ts';
import { newCheckoutReference } from '#shared/platform/kernel/ids.ts';
import type { Kobo } from '#shared/platform/kernel/money.ts';
import type { Caller } from '#shared/platform/kernel/tenant.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import type { KeyedRequest } from '#shared/platform/requests/idempotency.ts';
import { isUnanswered, ProviderError, requireProvider } from '#shared/providers/domain/errors.ts';
import { type PreferredOrder, preferHealthy } from '#shared/providers/domain/health/prefer-healthy.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { HealthyFirst } from '#shared/providers/health-ports.ts';
import type { OpeningError } from '#shared/providers/use-cases/ask-providers.ts';
import { INTENT_LEASE, prepareClaim } from '#shared/providers/use-cases/open-intents.ts';
import { admitTo, type OpenLiveCheckoutDeps, openLiveCheckout } from './open-live-checkout.ts';
import { makeCheckoutError } from './opening-errors.ts';
import { type Route, type RouteDeps, routeCheckout } from './route-checkout.ts';
import { openUnderReference } from './take-merchant-reference.ts';

export interface InitializeCheckoutDeps
  extends OpenLiveCheckoutDeps,
    RouteDeps,
    Pick<Runtime, 'randomBytes' | 'pause'> {
  readonly businesses: BusinessReader;
  readonly checkouts: CheckoutOpener;
  readonly defaultProvider: ProviderName;
  /** The stage's order of providers for businesses that use routing; empty if the stage does not route. */
  readonly routingOrder: readonly ProviderName[];
  readonly healthyFirst: HealthyFirst;
}

export interface InitializeCheckoutInput extends z.infer<typeof merchantFields> {
  readonly createdWith: CreatedWith;
  /** Kobo. */
  readonly amount: Kobo;
  readonly provider: ProviderName | null;
  /** Seconds. */
  readonly expiresIn: number;
  /** Identifies a retry of the request; undefined without an Idempotency-Key. */
  readonly keyed: KeyedRequest | undefined;
}

/** Minimum `expires_in` of a live checkout. Seconds. */
const MIN_LIVE_EXPIRY = 300;

/** Returns an error that the sandbox simulates; throws any other. */
const readError = (error: unknown): OpeningError => {
  if (error instanceof ProviderError || isUnanswered(error)) return error;
  throw error;
};

/**
 * Opens a test checkout. It calls no provider, so no intent is stored first. If the account number is taken, the sandbox draws another one.
 * @throws ApiError provider_busy, provider_error.
 */
const openTestCheckout = async (
  deps: InitializeCheckoutDeps,
  route: Route,
  firstIntent: OpeningCheckout,
): Promise<Decision<Checkout>> => {
  const admitted = await admitTo(route, firstIntent);
  let intent: OpeningCheckout | undefined = admitted.kind === 'begun' ? admitted.intent : undefined;
  while (intent) {
    const attempt = latestAttempt(intent);
    try {
      const issuer = requireProvider(deps.providers('test', attempt.provider));
      const checkout = beginCheckout(
        intent,
        attempt,
        await issuer.createPaymentAccount(toAccountRequest(intent)),
        deps.now(),
      );
      return { result: checkout, writes: deps.checkouts.opening(checkout, firstIntent.formerOwner) };
    } catch (error) {
      const next: ProviderName | undefined = await route.next({ intent, error: readError(error) });
      intent = next && moveOn(intent, next, { mayExist: false, openedAt: deps.now() });
    }
  }
  throw makeCheckoutError(firstIntent, route);
};

/**
 * Returns the business's name and websites. The caller's key already holds the name. So the business is read only if a browser sends return
 * URLs, which must be on its websites.
 */
const readProfile = async (
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

/**
 * Checks the request against the mode and the kind of key.
 * @throws ApiError validation_failed.
 */
const ensureAllowed = (caller: Caller, input: InitializeCheckoutInput, websites: readonly string[]): void => {
  const isTooShort = caller.mode === 'live' && input.expiresIn < MIN_LIVE_EXPIRY;
  const errors = [
    ...(isTooShort ? [{ field: 'expires_in', message: 'expires_in must be at least 300 seconds in live mode.' }] : []),
    ...returnUrlErrors({ callback_url: input.callbackUrl, cancel_url: input.cancelUrl }, caller, websites),
  ];
  if (errors.length > 0) throw invalid(...errors);
};

/** Whether the stage's routing order decides the provider of a request. */
const isLeftToUs = (
  { routingOrder }: InitializeCheckoutDeps,
  { isRouted }: Caller,
  { provider }: InitializeCheckoutInput,
): boolean => provider === null && isRouted && routingOrder.length > 0;

/**
 * Returns the providers that a checkout may go to: the requested one, else the stage's routing order if the business uses it, else the
 * default.
 */
const listCandidates = (
  deps: InitializeCheckoutDeps,
  caller: Caller,
  input: InitializeCheckoutInput,
): readonly [ProviderName, ...ProviderName[]] => {
  const [first, ...others] = isLeftToUs(deps, caller, input) ? deps.routingOrder : [];
  return first ? [first, ...others] : [input.provider ?? deps.defaultProvider];
};

/** Sorts providers by health. In test mode they keep their order, because the sandbox has no health. */
const sortByHealth = async (
  { healthyFirst }: InitializeCheckoutDeps,
  { mode }: Caller,
  candidates: readonly [ProviderName, ...ProviderName[]],
): Promise<PreferredOrder> => (mode === 'live' ? healthyFirst(candidates) : preferHealthy(candidates, {}, 0));

/**
 * Decides to start a checkout with a payment account at the first candidate (listCandidates) that opens one. For a live checkout, the
 * intent is stored and the provider is called before this function returns. The decision's writes contain the checkout itself.
 * @throws ApiError validation_failed, provider_error; the errors of openUnderReference; in live mode, and if the sandbox answers slowly,
 * also the errors of openLiveCheckout.
 */
export const initializeCheckout = async (
  deps: InitializeCheckoutDeps,
  caller: Caller,
  input: InitializeCheckoutInput,
): Promise<Decided<Checkout>> => {
  const { displayName, websites } = await readProfile(deps, caller, input);
  ensureAllowed(caller, input, websites);
  const createdAt = deps.now();
  const leaseUntil = createdAt + INTENT_LEASE;
  /** Makes the intent under a new reference. `formerOwner`: the checkout that passes its merchant reference on. */
  const makeIntent = (provider: ProviderName, formerOwner: FormerOwner | null): OpeningCheckout => {
    const reference = newCheckoutReference(deps.randomBytes);
    const time = { openedAt: createdAt, expiresAt: createdAt + input.expiresIn * SECOND };
    return {
      reference,
      businessId: caller.businessId,
      mode: caller.mode,
      createdWith: input.createdWith,
      attempts: [newAttempt(provider, reference, time)],
      ...(isLeftToUs(deps, caller, input) && { isRouted: true }),
      amount: input.amount,
      ...merchantFields.parse(input),
      createdAt,
      version: 0,
      status: 'opening',
      settleAt: leaseUntil,
      accountName: displayName,
      formerOwner,
    };
  };
  const candidates = listCandidates(deps, caller, input);
  // If the sandbox simulates a slow provider, the checkout is opened as in live mode, with an intent.
  const isSlow = candidates.some((name) =>
    deps.providers(caller.mode, name)?.answersSlowly?.({ email: input.payerEmail }),
  );
  const isImmediate = caller.mode === 'test' && !isSlow;
  // Browsers have a quota even in test mode, because every checkout ends with a webhook to the business.
  const isCharged = !isImmediate || caller.kind === 'public';
  const preferred = await sortByHealth(deps, caller, candidates);
  const route = routeCheckout(deps, caller, { mode: caller.mode, amount: input.amount }, preferred, { isCharged });
  return openUnderReference(deps, (former) => {
    const intent = makeIntent(route.order[0], former);
    return isImmediate
      ? openTestCheckout(deps, route, intent)
      : openLiveCheckout(deps, route, intent, prepareClaim(input.keyed, leaseUntil));
  });
};

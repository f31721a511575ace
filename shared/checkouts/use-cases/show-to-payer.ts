import { type BusinessProfile, defaultProfile } from '#shared/businesses/domain/profile.ts';
import type { BusinessReader } from '#shared/businesses/ports.ts';
import { offerOther } from '#shared/checkouts/domain/another-account.ts';
import { shownAttempt } from '#shared/checkouts/domain/attempt.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import { type Candidate, isWithinLimits } from '#shared/checkouts/domain/choose-candidates.ts';
import { readPageLink } from '#shared/checkouts/domain/page-link.ts';
import { type OtherAccount, type PayerView, payerView } from '#shared/checkouts/domain/payer-view.ts';
import type { LinkedCheckouts } from '#shared/checkouts/ports.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import type { ReadKeys, Runtime } from '#shared/platform/ports.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { HealthyFirst } from '#shared/providers/health-ports.ts';

export interface FindLinkedDeps {
  /** The keys that sign payment page links. */
  readonly pageLinkKeys: ReadKeys;
  readonly linkedCheckouts: LinkedCheckouts;
}

export interface ShowDeps extends FindLinkedDeps, Pick<Runtime, 'now'> {
  readonly businesses: BusinessReader;
  readonly acceptsRest: (mode: Mode, provider: ProviderName) => boolean;
  readonly amountLimits: (mode: Mode, provider: ProviderName) => Candidate['amountLimits'];
  /** The stage's order of providers for businesses that use routing; empty if the stage does not route. */
  readonly routingOrder: readonly ProviderName[];
  readonly healthyFirst: HealthyFirst;
}

/** A checkout as its payer sees it, with the profile of its business. */
export interface PayerPageState {
  readonly checkout: Checkout;
  readonly view: PayerView;
  readonly profile: BusinessProfile;
  readonly now: Millis;
  /** When the payer said that the money was sent; null before. */
  readonly sentAt: Millis | null;
  /** The result of pageStateVersion. */
  readonly etag: string;
}

/**
 * Finds the checkout of a payment page's link. A link that we did not make causes no read of the table.
 * @throws ApiError not_found.
 */
export const findLinked = async (
  { pageLinkKeys, linkedCheckouts }: FindLinkedDeps,
  link: string,
  options?: { readonly mayLag: boolean },
): Promise<Checkout> => {
  // A newer key than those that this container knows may have signed the link.
  const reference =
    readPageLink(await pageLinkKeys(), link) ?? readPageLink(await pageLinkKeys({ refresh: true }), link);
  const checkout = reference === undefined ? undefined : await linkedCheckouts.find(reference, options);
  if (!checkout) throw new ApiError('not_found');
  return checkout;
};

/** Tells whether a payer may ask for another account, at a provider that accepts the amount. */
const offerWithinLimits = (
  { routingOrder, amountLimits }: Pick<ShowDeps, 'routingOrder' | 'amountLimits'>,
  checkout: Checkout,
  now: Millis,
): OtherAccount => {
  const { mode, amount } = checkout;
  const takesAmount = (provider: ProviderName) =>
    isWithinLimits({ amountLimits: amountLimits(mode, provider) }, amount);
  return offerOther(checkout, routingOrder.filter(takesAmount), now);
};

/**
 * Computes the version of the payer's view. The business is not read for it, so that a polling page costs one read. The version changes
 * every minute, so that an open page learns within a minute that its business was suspended.
 */
export const pageStateVersion = (
  deps: Pick<ShowDeps, 'acceptsRest' | 'routingOrder' | 'amountLimits'>,
  checkout: Checkout,
  { sentAt, now }: Pick<PayerPageState, 'sentAt' | 'now'>,
): string => {
  const { mode, version } = checkout;
  const { provider } = shownAttempt(checkout);
  const view = payerView(checkout, { now, sentAt, isSuspended: false, acceptsRest: deps.acceptsRest(mode, provider) });
  const wait = view.kind === 'confirming' ? `.${view.wait}` : '';
  const looking = 'isLooking' in view && view.isLooking ? '.looking' : '';
  const content = `${version}.${view.kind}${wait}${looking}.${offerWithinLimits(deps, checkout, now)}`;
  return `${content}.${Math.floor(now / MINUTE)}`;
};

/** Whether money lands late at every provider that a checkout may go to. */
const checkSlowEverywhere = async ({ routingOrder, healthyFirst }: ShowDeps, checkout: Checkout): Promise<boolean> => {
  const [first, ...others] = routingOrder;
  if (checkout.mode === 'test' || !checkout.isRouted || !first) return false;
  return (await healthyFirst([first, ...others])).areAllFailing;
};

/** Computes the payer's current view of a checkout. */
export const showToPayer = async (
  deps: ShowDeps,
  checkout: Checkout,
  sentAt: Millis | null,
): Promise<PayerPageState> => {
  const { mode, businessId } = checkout;
  const { provider } = shownAttempt(checkout);
  const owner = await deps.businesses.find(businessId);
  const now = deps.now();
  const isSlow = await checkSlowEverywhere(deps, checkout);
  // If all providers are slow, another account would not help.
  const mayOfferAnother = owner?.profile.isRouted && !isSlow;
  const view = payerView(checkout, {
    now,
    sentAt,
    isSuspended: owner?.suspended ?? true,
    acceptsRest: deps.acceptsRest(mode, provider),
    other: mayOfferAnother ? offerWithinLimits(deps, checkout, now) : 'not_offered',
    isSlowEverywhere: isSlow,
  });
  const profile = owner?.profile ?? defaultProfile('This business');
  return { checkout, view, profile, now, sentAt, etag: pageStateVersion(deps, checkout, { sentAt, now }) };
};

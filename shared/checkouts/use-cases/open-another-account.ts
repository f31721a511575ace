import {
  askForAnother,
  endOtherAttempt,
  ensureWaitingForMoney,
  isWaitingForMoney,
  openingAttempt,
  otherProviders,
  showAnother,
  withdrawAnother,
} from '#shared/checkouts/domain/another-account.ts';
import {
  type Attempt,
  latestAttempt,
  type ShownAttempt,
  shownAttempt,
  shownAttempts,
} from '#shared/checkouts/domain/attempt.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import { toAccountRequest } from '#shared/checkouts/domain/opening-checkout.ts';
import type { CheckoutAccounts } from '#shared/checkouts/ports.ts';
import { type ChangeDeps, changeCheckout, decideCheckout } from '#shared/payments/use-cases/change-checkout.ts';
import type { Decision } from '#shared/platform/commit.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import type { Caller } from '#shared/platform/kernel/tenant.ts';
import { type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import { ProviderBusy, requireProvider } from '#shared/providers/domain/errors.ts';
import { preferHealthy } from '#shared/providers/domain/health/prefer-healthy.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { HealthyFirst } from '#shared/providers/health-ports.ts';
import type { IssuedPaymentAccount } from '#shared/providers/ports.ts';
import {
  type AskingKind,
  type AskProvidersDeps,
  askProviders,
  type StartedIntent,
} from '#shared/providers/use-cases/ask-providers.ts';
import { INTENT_LEASE } from '#shared/providers/use-cases/open-intents.ts';
import { openAtSameAmount } from './open-live-checkout.ts';
import { findAmountError, makeAnotherAccountError } from './opening-errors.ts';
import { type Route, type RouteDeps, routeCheckout } from './route-checkout.ts';

export interface OpenAnotherDeps extends AskProvidersDeps, RouteDeps, ChangeDeps {
  /** The stage's order of providers for businesses that use routing; empty if the stage does not route. */
  readonly routingOrder: readonly ProviderName[];
  readonly healthyFirst: HealthyFirst;
  readonly checkoutAccounts: CheckoutAccounts;
}

/** The business's server, or the payer on the payment page. */
type Asker = Pick<Caller, 'businessId' | 'mode' | 'kind' | 'addressBlock' | 'displayName' | 'isRouted'>;

const alreadyOpening = (until: Millis, now: Millis): ApiError => {
  const seconds = Math.max(1, Math.ceil((until - now) / SECOND));
  const message = `Another account of this checkout is being opened. Try again in ${seconds} s.`;
  return new ApiError('rate_limited', { message, retryAfterSeconds: seconds });
};

/** Whether the newest attempt is unchanged: no request has begun another or withdrawn it, and nobody has settled it. */
const isSame = (attempt: Attempt, other: Attempt): boolean =>
  attempt.reference === other.reference && attempt.provider === other.provider && attempt.state === other.state;

/**
 * Checks that the checkout waits for money, that no other request is opening an account, and that the newest attempt is unchanged since
 * `seen` was read.
 * @throws ApiError checkout_not_payable, rate_limited.
 */
const ensureFree = (checkout: Checkout, seen: Checkout, now: Millis): void => {
  ensureWaitingForMoney(checkout, now);
  const until = openingAttempt(checkout)?.askAgainAt ?? 0;
  if (until > now) throw alreadyOpening(until, now);
  if (!isSame(latestAttempt(checkout), latestAttempt(seen))) throw alreadyOpening(now, now);
};

/**
 * Makes the route: first the provider that an interrupted request asked (`interrupted`), then the others by health, the failing ones last.
 * @throws ApiError no_other_provider.
 */
const routeToOthers = async (
  deps: OpenAnotherDeps,
  asker: Asker,
  checkout: Checkout,
  interrupted: ProviderName | undefined,
): Promise<Route> => {
  const others = otherProviders(checkout, asker.isRouted ? deps.routingOrder : []);
  const [first, ...next] = interrupted ? [interrupted, ...others] : others;
  if (!first) throw new ApiError('no_other_provider');
  const candidates = [first, ...next] as const;
  const preferred = checkout.mode === 'live' ? await deps.healthyFirst(candidates) : preferHealthy(candidates, {}, 0);
  // A failing provider comes last here, even if it was drawn for a trial: the bank of this payer already could not find one account.
  const last = preferred.last.map(({ provider }) => provider);
  const byHealth = [...preferred.order.filter((name) => !last.includes(name)), ...last];
  const [start = first, ...after] = interrupted
    ? [interrupted, ...byHealth.filter((name) => name !== interrupted)]
    : byHealth;
  // The sandbox charges no quota for servers.
  const isCharged = checkout.mode === 'live' || asker.kind === 'public';
  const route = { ...preferred, order: [start, ...after], triedFirst: null } as const;
  return routeCheckout(deps, asker, checkout, route, { isCharged, interrupted, isLogged: true });
};

/**
 * Records that a provider is asked, then asks one provider after the other.
 * @throws ApiError checkout_not_payable, rate_limited; the errors of makeAnotherAccountError.
 */
const ask = async (deps: OpenAnotherDeps, asker: Asker, stored: Checkout) => {
  const interrupted = openingAttempt(stored)?.provider;
  const route = await routeToOthers(deps, asker, stored, interrupted);
  if (findAmountError(deps, stored, route)) throw new ApiError('no_other_provider');
  const change = (decide: Parameters<typeof changeCheckout>[3]) =>
    changeCheckout(deps, stored, stored.reference, decide);
  const begin = async (provider: ProviderName): Promise<StartedIntent<Checkout>> => {
    const now = deps.now();
    const begun = await change((checkout) => {
      ensureFree(checkout, stored, now);
      return askForAnother(checkout, provider, { now, leaseUntil: now + INTENT_LEASE, mayExist: true });
    });
    if (!begun) throw new ApiError('checkout_not_found');
    return { kind: 'begun', intent: begun, isResumed: provider === interrupted };
  };
  const { amountToPay } = shownAttempt(stored);
  const kind: AskingKind<Checkout, IssuedPaymentAccount> = {
    findProvider: (checkout) => latestAttempt(checkout).provider,
    open: (issuer, checkout, until) => {
      const request = toAccountRequest({ ...checkout, accountName: asker.displayName });
      return openAtSameAmount(issuer, { ...request, until }, amountToPay);
    },
    timeFor: route.timeFor,
    moveOn: async (unopened) => {
      const attempt = latestAttempt(unopened.intent);
      const provider = await route.next(unopened);
      if (!provider) return undefined;
      const now = deps.now();
      const moving = { now, leaseUntil: now + INTENT_LEASE, mayExist: unopened.mayExist };
      const moved = await change((checkout) =>
        isWaitingForMoney(checkout, now) && openingAttempt(checkout)?.reference === attempt.reference
          ? askForAnother(checkout, provider, moving)
          : undefined,
      );
      // Undefined if the checkout was paid or ended, or another process settled the attempt.
      return moved && latestAttempt(moved).provider === provider ? moved : undefined;
    },
  };
  const first = await route.first(stored, stored.attempts.length + 1);
  const apiError = (checkout: Checkout) =>
    makeAnotherAccountError(checkout, route, otherProviders(checkout, deps.routingOrder));
  if ('reason' in first) throw apiError(stored);
  const result = await askProviders(deps, kind, await begin(first.provider));
  if (result.kind === 'opened') return result;
  const { intent, error, mayExist } = result;
  const isUndone = error instanceof ProviderBusy && !mayExist;
  const after = await change((checkout) =>
    isUndone
      ? withdrawAnother(checkout, latestAttempt(intent))
      : endOtherAttempt(checkout, latestAttempt(intent), mayExist),
  );
  throw apiError(after ?? stored);
};

/**
 * Opens another account for a checkout at a provider that was not asked yet, and shows the account. Money on earlier accounts still counts.
 * The attempt is stored before the call; after a crash, the next request asks again, or a look-up settles the attempt.
 * @throws ApiError checkout_not_payable, no_other_provider, provider_busy; rate_limited while another request opens an account;
 * service_unavailable if the sweeper settled the attempt first.
 */
export const openAnotherAccount = async (
  deps: OpenAnotherDeps,
  asker: Asker,
  stored: Checkout,
): Promise<Decision<Checkout>> => {
  ensureFree(stored, stored, deps.now());
  const { intent, issued: first } = await ask(deps, asker, stored);
  const latest = latestAttempt(intent);

  const decide = async (issued: IssuedPaymentAccount): Promise<Decision<Checkout>> => {
    const now = deps.now();
    const show = (checkout: Checkout) => showAnother(checkout, latest, issued, now);
    const decision = await decideCheckout(deps, stored, stored.reference, show);
    const { result: checkout } = decision;
    const isOpened = ({ reference }: ShownAttempt): boolean => reference === issued.providerReference;
    const attempt = shownAttempts(checkout).find(isOpened);
    if (!attempt) {
      // Record the account, because money on it counts even if nobody sees it.
      await changeCheckout(deps, stored, stored.reference, show);
      ensureWaitingForMoney(checkout, now);
      throw new ApiError('service_unavailable', { retryAfterSeconds: 1 });
    }
    return {
      ...decision,
      writes: [...decision.writes, ...deps.checkoutAccounts.adding(checkout, attempt)],
      // If the number is taken, the sandbox draws another one.
      again: async (reason) => decide(reason === 'number_taken' ? await drawAgain() : issued),
    };
  };
  const drawAgain = () =>
    requireProvider(deps.providers(stored.mode, latest.provider)).createPaymentAccount(
      toAccountRequest({ ...intent, accountName: asker.displayName }, latest),
    );
  return decide(first);
};

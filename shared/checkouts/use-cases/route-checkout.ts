import { otherProviders } from '#shared/checkouts/domain/another-account.ts';
import { type Attempted, latestAttempt } from '#shared/checkouts/domain/attempt.ts';
import { chooseCandidates, type PassedOver } from '#shared/checkouts/domain/choose-candidates.ts';
import type { OpeningCheckout } from '#shared/checkouts/domain/opening-checkout.ts';
import type { Asker } from '#shared/platform/kernel/tenant.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';
import type { Log } from '#shared/platform/observability/log.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { InputError } from '#shared/providers/domain/errors.ts';
import type { PreferredOrder } from '#shared/providers/domain/health/prefer-healthy.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { Providers, QuotaMeter } from '#shared/providers/ports.ts';
import {
  isOurFault,
  type OpeningError,
  PROVIDER_TIMEOUT,
  type UnopenedIntent,
} from '#shared/providers/use-cases/ask-providers.ts';
import type { NotAdmittedReason } from '#shared/providers/use-cases/open-intents.ts';

/** Milliseconds in which all of a checkout's providers are asked: the function has 28 s, and the outcome has to be written. */
const BUDGET = 25 * SECOND;
/** Milliseconds for a provider that has a successor: a checkout whose first one is silent is to be open within five seconds. */
const TIME_BEFORE_SUCCESSOR = 4 * SECOND;
/** Milliseconds without which no other provider is asked. */
const LEAST_TIME = 2 * SECOND;

export interface RouteDeps extends Pick<Runtime, 'now'> {
  readonly providers: Providers;
  readonly quotaMeter: QuotaMeter;
  readonly log: Log;
}

/** Why a provider opened no account for a checkout. */
export interface Failure {
  readonly provider: ProviderName;
  readonly error: OpeningError | NotAdmittedReason;
}

/** A checkout, open or being opened, that goes from one provider to the next. */
type Routed = Attempted & Pick<OpeningCheckout, 'reference' | 'businessId'>;

/** The way of one checkout through the providers that it may go to. */
export interface Route {
  /** The providers in the order in which they are asked; the stage's first one where none may be. */
  readonly order: readonly [ProviderName, ...ProviderName[]];
  readonly passedOver: readonly PassedOver[];
  /** Why each provider so far opened no account. */
  readonly failures: readonly Failure[];
  /** The first provider whose quota the business has not used up, for the attempt of this number; or why none is asked. */
  readonly first: (
    checkout: Routed,
    attempt: number,
  ) => Promise<{ readonly provider: ProviderName } | { readonly reason: NotAdmittedReason }>;
  /** The next provider; undefined where nobody else is asked. */
  readonly next: (unopened: Pick<UnopenedIntent<Routed>, 'intent' | 'error'>) => Promise<ProviderName | undefined>;
  /** Milliseconds that the provider of an intent has. */
  readonly timeFor: (checkout: Attempted) => number;
}

/** Whether no other provider would do better: the payer's data are wrong, or a dependency of ours failed. */
const endsRoute = (error: OpeningError): boolean =>
  (error instanceof InputError && error.input === 'customer') || isOurFault(error);

/**
 * The way of a checkout through providers in an order that their health decided. The provider that a request names, and the stage's default, go
 * alone.
 * `isCharged`: the business's quota is charged for each provider before it is asked, once however often the request decides again; not for
 * the one that an interrupted request was charged for (`left`).
 * `isLogged`: each choice is told in the log.
 */
export const routeCheckout = (
  deps: RouteDeps,
  asker: Asker,
  payment: Pick<OpeningCheckout, 'mode' | 'amount'>,
  preferred: PreferredOrder,
  {
    isCharged = true,
    left,
    isLogged = preferred.order.length > 1,
  }: { readonly isCharged?: boolean; readonly left?: ProviderName | undefined; readonly isLogged?: boolean } = {},
): Route => {
  const { mode, amount } = payment;
  const findIssuer = (provider: ProviderName) => deps.providers(mode, provider);
  const findLimits = (provider: ProviderName) => findIssuer(provider)?.amountLimits;
  const isAlone = preferred.order.length === 1;
  const choice = chooseCandidates(
    preferred.order.map((provider) => ({
      provider,
      isEnabled: findIssuer(provider) !== undefined,
      amountLimits: findLimits(provider),
      isSuspended: !isAlone && (findIssuer(provider)?.isSuspended?.('creations') ?? false),
    })),
    amount,
  );
  const [first = preferred.order[0], ...others] = choice.order;
  const order = [first, ...others] as const;
  const passedOver = [...choice.passedOver];
  const failures: Failure[] = [];
  const charges = new Map<ProviderName, ReturnType<QuotaMeter['charge']>>();
  let deadline: number | undefined;
  let isTold = false;

  const charge = async (provider: ProviderName): Promise<boolean> => {
    if (!isCharged || provider === left) return true;
    const charged = charges.get(provider) ?? deps.quotaMeter.charge(asker, provider, 'creations');
    charges.set(provider, charged);
    const error = await charged;
    if (!error) return true;
    if (!failures.some((failure) => failure.error === error)) {
      failures.push({ provider, error });
      passedOver.push({ provider, why: 'quota' });
    }
    return false;
  };

  /** The first of these providers whose quota is not used up. */
  const firstCharged = async (candidates: readonly ProviderName[]): Promise<ProviderName | undefined> => {
    for (const provider of candidates) if (await charge(provider)) return provider;
    return undefined;
  };

  const tell = ({ reference, businessId }: Routed, provider: ProviderName, attempt: number, why?: string): void => {
    if (!isLogged) return;
    deps.log('checkout_routed', {
      reference,
      business_id: businessId,
      provider,
      attempt,
      ...(why !== undefined && { after: why }),
      candidates: order.join(' '),
      passed_over: passedOver.map((entry) => `${entry.provider}:${entry.why}`).join(' '),
      failing: preferred.last.map((entry) => `${entry.provider}:${entry.why}`).join(' '),
      ...(preferred.tried !== null && { tried: preferred.tried }),
      ...(preferred.isSlowEverywhere && { all_failing: true }),
    });
  };

  const candidatesAfter = (checkout: Attempted): readonly ProviderName[] => otherProviders(checkout, order);

  return {
    order,
    passedOver,
    failures,
    first: async (checkout, attempt) => {
      if (!findIssuer(first)) {
        failures.push({ provider: first, error: 'not_enabled' });
        return { reason: 'not_enabled' };
      }
      const provider = await firstCharged(order);
      const [busy] = failures;
      if (!provider && busy) return { reason: busy.error as NotAdmittedReason };
      // A request decides again while its merchant reference changes hands.
      if (!isTold) tell(checkout, provider ?? first, attempt);
      isTold = true;
      return { provider: provider ?? first };
    },
    next: async ({ intent, error }) => {
      const { provider: failed } = latestAttempt(intent);
      failures.push({ provider: failed, error });
      if (endsRoute(error) || (deadline !== undefined && deadline - deps.now() < LEAST_TIME)) return undefined;
      const isOfAmount = error instanceof InputError;
      const refusedBy = JSON.stringify(findLimits(failed));
      const left = candidatesAfter(intent).filter(
        (name) => !isOfAmount || JSON.stringify(findLimits(name)) !== refusedBy,
      );
      const provider = await firstCharged(left);
      if (!provider) return undefined;
      findIssuer(provider)?.prefetchHealth?.('creations');
      tell(intent, provider, intent.attempts.length + 1, `${failed}:${error.name}`);
      return provider;
    },
    timeFor: (checkout) => {
      const now = deps.now();
      deadline ??= now + BUDGET;
      const left = Math.min(PROVIDER_TIMEOUT, deadline - now);
      return candidatesAfter(checkout).length > 0 ? Math.min(TIME_BEFORE_SUCCESSOR, left) : left;
    },
  };
};

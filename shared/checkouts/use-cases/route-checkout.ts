import { latestAttempt } from '#shared/checkouts/domain/attempt.ts';
import { chooseCandidates, type PassedOver } from '#shared/checkouts/domain/choose-candidates.ts';
import { moveOn, type OpeningCheckout, openAt } from '#shared/checkouts/domain/opening-checkout.ts';
import type { Asker } from '#shared/platform/kernel/tenant.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';
import type { Log } from '#shared/platform/observability/log.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { MAX_ATTEMPTS } from '#shared/providers/domain/attempt-reference.ts';
import { InputRefusal } from '#shared/providers/domain/errors.ts';
import type { PreferredOrder } from '#shared/providers/domain/health/prefer-healthy.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { ProviderAllowance, Providers } from '#shared/providers/ports.ts';
import {
  type Begun,
  isOurFault,
  type NotAdmitted,
  type NotOpened,
  PROVIDER_TIMEOUT,
  type Unasked,
  type Unopened,
} from '#shared/providers/use-cases/open-intents.ts';

/** Milliseconds in which all of a checkout's providers are asked: the function has 28 s, and the outcome has to be written. */
const BUDGET = 25 * SECOND;
/** Milliseconds for a provider that has a successor. */
const TIME_BEFORE_SUCCESSOR = 5 * SECOND;
/** Milliseconds without which no other provider is asked. */
const LEAST_TIME = 2 * SECOND;

export interface RouteDeps extends Pick<Runtime, 'now'> {
  readonly providers: Providers;
  readonly providerAllowance: ProviderAllowance;
  readonly log: Log;
}

/** Why a provider opened no account for a checkout. */
export interface Failure {
  readonly provider: ProviderName;
  readonly error: NotOpened | NotAdmitted;
}

/** The way of one checkout through the providers that it may go to. */
export interface Route {
  /** The providers in the order in which they are asked; the stage's first one where none may be. */
  readonly order: readonly [ProviderName, ...ProviderName[]];
  readonly passedOver: readonly PassedOver[];
  /** Why each provider so far opened no account. */
  readonly failures: readonly Failure[];
  /** The intent at the first provider whose allowance the business has not used up. */
  readonly admit: (intent: OpeningCheckout) => Promise<Begun<OpeningCheckout> | Unasked<OpeningCheckout>>;
  /** The intent at the next provider; undefined where nobody else is asked. */
  readonly next: (unopened: Unopened<OpeningCheckout>) => Promise<OpeningCheckout | undefined>;
  /** Milliseconds that the provider of an intent has. */
  readonly timeFor: (intent: OpeningCheckout) => number;
}

/** Whether no other provider would do better: the payer's data are wrong, or a dependency of ours failed. */
const endsRoute = (error: NotOpened): boolean =>
  (error instanceof InputRefusal && error.input === 'customer') || isOurFault(error);

/**
 * The way of a checkout through providers in an order that their health decided. The provider that a request names, and the stage's default, go
 * alone.
 * `isCharged`: the business's allowance is charged for each provider before it is asked, once however often the request decides again.
 */
export const routeCheckout = (
  deps: RouteDeps,
  asker: Asker,
  wanted: Pick<OpeningCheckout, 'mode' | 'amount'>,
  preferred: PreferredOrder,
  isCharged = true,
): Route => {
  const { mode, amount } = wanted;
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
  const charges = new Map<ProviderName, ReturnType<ProviderAllowance['charge']>>();
  let deadline: number | undefined;
  let isTold = false;

  const charge = async (provider: ProviderName): Promise<boolean> => {
    if (!isCharged) return true;
    const charged = charges.get(provider) ?? deps.providerAllowance.charge(asker, provider, 'creations');
    charges.set(provider, charged);
    const error = await charged;
    if (!error) return true;
    if (!failures.some((failure) => failure.error === error)) {
      failures.push({ provider, error });
      passedOver.push({ provider, why: 'allowance' });
    }
    return false;
  };

  /** The first of these providers whose allowance is not used up. */
  const firstCharged = async (candidates: readonly ProviderName[]): Promise<ProviderName | undefined> => {
    for (const provider of candidates) if (await charge(provider)) return provider;
    return undefined;
  };

  const tell = ({ reference, businessId, attempts }: OpeningCheckout, why: string | undefined): void => {
    if (isAlone) return;
    deps.log('checkout_routed', {
      reference,
      business_id: businessId,
      provider: attempts.at(-1)?.provider,
      attempt: attempts.length,
      ...(why !== undefined && { after: why }),
      candidates: order.join(' '),
      passed_over: passedOver.map((one) => `${one.provider}:${one.why}`).join(' '),
      failing: preferred.last.map((one) => `${one.provider}:${one.why}`).join(' '),
      ...(preferred.tried !== null && { tried: preferred.tried }),
      ...(preferred.isSlowEverywhere && { all_failing: true }),
    });
  };

  const isAsked = ({ attempts }: OpeningCheckout, name: ProviderName): boolean =>
    attempts.some(({ provider }) => provider === name);
  const candidatesAfter = (intent: OpeningCheckout): readonly ProviderName[] =>
    intent.attempts.length === MAX_ATTEMPTS ? [] : order.filter((provider) => !isAsked(intent, provider));

  return {
    order,
    passedOver,
    failures,
    admit: async (intent) => {
      if (!findIssuer(first)) {
        failures.push({ provider: first, error: 'not_enabled' });
        return { kind: 'not_admitted', intent, reason: 'not_enabled' };
      }
      const provider = await firstCharged(order);
      const [busy] = failures;
      if (!provider && busy) return { kind: 'not_admitted', intent, reason: busy.error as NotAdmitted };
      const admitted = openAt(intent, provider ?? first);
      // A request decides again while its merchant reference changes hands.
      if (!isTold) tell(admitted, undefined);
      isTold = true;
      return { kind: 'begun', intent: admitted, isResumed: false };
    },
    next: async ({ intent, error, mayExist }) => {
      const { provider: failed } = latestAttempt(intent);
      failures.push({ provider: failed, error });
      const now = deps.now();
      if (endsRoute(error) || (deadline !== undefined && deadline - now < LEAST_TIME)) return undefined;
      const isOfAmount = error instanceof InputRefusal;
      const refusedBy = JSON.stringify(findLimits(failed));
      const left = candidatesAfter(intent).filter(
        (name) => !isOfAmount || JSON.stringify(findLimits(name)) !== refusedBy,
      );
      const provider = await firstCharged(left);
      if (!provider) return undefined;
      findIssuer(provider)?.prefetchHealth?.('creations');
      const moved = moveOn(intent, provider, { mayExist, openedAt: now });
      tell(moved, `${failed}:${error.name}`);
      return moved;
    },
    timeFor: (intent) => {
      const now = deps.now();
      deadline ??= now + BUDGET;
      const left = Math.min(PROVIDER_TIMEOUT, deadline - now);
      return candidatesAfter(intent).length > 0 ? Math.min(TIME_BEFORE_SUCCESSOR, left) : left;
    },
  };
};

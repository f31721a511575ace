import { otherProviders } from '#shared/checkouts/domain/another-account.ts';
import { latestAttempt, type WithAttempts } from '#shared/checkouts/domain/attempt.ts';
import { chooseCandidates, type PassedOverProvider } from '#shared/checkouts/domain/choose-candidates.ts';
import type { OpeningCheckout } from '#shared/checkouts/domain/opening-checkout.ts';
import type { Requester } from '#shared/platform/kernel/tenant.ts';
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

/** Milliseconds for asking all of a checkout's providers. The function has 28 s and must still write the outcome. */
const TOTAL_TIME = 25 * SECOND;
/**
 * Milliseconds for a provider after which another one can be asked, so that a checkout opens within five seconds even if the first provider
 * is silent.
 */
const TIME_BEFORE_SUCCESSOR = 4 * SECOND;
/** Minimum milliseconds for asking another provider. */
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

/** A checkout, open or being opened, that is routed from one provider to the next. */
type Routed = WithAttempts & Pick<OpeningCheckout, 'reference' | 'businessId'>;

/** The route of one checkout through its candidate providers. */
export interface Route {
  /** The providers in the order of asking. If none may be asked, only the first provider of the preferred order. */
  readonly order: readonly [ProviderName, ...ProviderName[]];
  readonly passedOver: readonly PassedOverProvider[];
  /** The failure of each provider so far. */
  readonly failures: readonly Failure[];
  /** Chooses the first provider at which the business has quota left, or returns why none is asked. `attempt`: the attempt's number, for the log. */
  readonly first: (
    checkout: Routed,
    attempt: number,
  ) => Promise<{ readonly provider: ProviderName } | { readonly reason: NotAdmittedReason }>;
  /** Chooses the next provider; undefined if no other is asked. */
  readonly next: (unopened: Pick<UnopenedIntent<Routed>, 'intent' | 'error'>) => Promise<ProviderName | undefined>;
  /** Returns the milliseconds that the provider of an intent has. */
  readonly timeFor: (checkout: WithAttempts) => number;
}

/** Whether another provider would fail too: the payer's data are wrong, or a dependency of ours failed. */
const endsRoute = (error: OpeningError): boolean =>
  (error instanceof InputError && error.input === 'customer') || isOurFault(error);

/**
 * Makes the route of a checkout through providers, in an order by their health. A requested provider, or the stage's default, is alone on
 * its route.
 * `isCharged`: whether the business's quota is charged for each provider before that provider is asked. The quota at a provider is charged
 * once, even if the request is decided again. `interrupted`: the provider for which an interrupted request was already charged. `isLogged`:
 * whether each choice is logged.
 */
export const routeCheckout = (
  deps: RouteDeps,
  asker: Requester,
  payment: Pick<OpeningCheckout, 'mode' | 'amount'>,
  preferred: PreferredOrder,
  {
    isCharged = true,
    interrupted,
    isLogged = preferred.order.length > 1,
  }: {
    readonly isCharged?: boolean;
    readonly interrupted?: ProviderName | undefined;
    readonly isLogged?: boolean;
  } = {},
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
      isBreakerOpen: !isAlone && (findIssuer(provider)?.isBreakerOpen?.('creations') ?? false),
    })),
    amount,
  );
  const [first = preferred.order[0], ...others] = choice.order;
  const order = [first, ...others] as const;
  const passedOver = [...choice.passedOver];
  const failures: Failure[] = [];
  const charges = new Map<ProviderName, ReturnType<QuotaMeter['charge']>>();
  let deadline: number | undefined;
  let wasLogged = false;

  const charge = async (provider: ProviderName): Promise<boolean> => {
    if (!isCharged || provider === interrupted) return true;
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

  const findFirstCharged = async (candidates: readonly ProviderName[]): Promise<ProviderName | undefined> => {
    for (const provider of candidates) if (await charge(provider)) return provider;
    return undefined;
  };

  const logChoice = (
    { reference, businessId }: Routed,
    provider: ProviderName,
    attempt: number,
    why?: string,
  ): void => {
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
      ...(preferred.triedFirst !== null && { tried: preferred.triedFirst }),
      ...(preferred.areAllFailing && { all_failing: true }),
    });
  };

  const listCandidatesAfter = (checkout: WithAttempts): readonly ProviderName[] => otherProviders(checkout, order);

  return {
    order,
    passedOver,
    failures,
    first: async (checkout, attempt) => {
      if (!findIssuer(first)) {
        failures.push({ provider: first, error: 'not_enabled' });
        return { reason: 'not_enabled' };
      }
      const provider = await findFirstCharged(order);
      const [busy] = failures;
      if (!provider && busy) return { reason: busy.error as NotAdmittedReason };
      // A request is decided again if another checkout has its merchant reference. Its choice is logged once.
      if (!wasLogged) logChoice(checkout, provider ?? first, attempt);
      wasLogged = true;
      return { provider: provider ?? first };
    },
    next: async ({ intent, error }) => {
      const { provider: failed } = latestAttempt(intent);
      failures.push({ provider: failed, error });
      if (endsRoute(error) || (deadline !== undefined && deadline - deps.now() < LEAST_TIME)) return undefined;
      const isAmountError = error instanceof InputError;
      const failedLimits = JSON.stringify(findLimits(failed));
      const remaining = listCandidatesAfter(intent).filter(
        (name) => !isAmountError || JSON.stringify(findLimits(name)) !== failedLimits,
      );
      const provider = await findFirstCharged(remaining);
      if (!provider) return undefined;
      findIssuer(provider)?.prefetchHealth?.('creations');
      logChoice(intent, provider, intent.attempts.length + 1, `${failed}:${error.name}`);
      return provider;
    },
    timeFor: (checkout) => {
      const now = deps.now();
      deadline ??= now + TOTAL_TIME;
      const remainingMs = Math.min(PROVIDER_TIMEOUT, deadline - now);
      return listCandidatesAfter(checkout).length > 0 ? Math.min(TIME_BEFORE_SUCCESSOR, remainingMs) : remainingMs;
    },
  };
};
